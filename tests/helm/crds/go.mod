// Modules whose custom resource definitions the chart's objects are checked against; nothing of them is built.
module fairlead.dev/tests/helm/crds

go 1.26.0

require (
	github.com/cert-manager/cert-manager v1.19.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
)
