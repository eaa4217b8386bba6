{{/* Ends the rendering, with a remedy, where what is asked for cannot work. */}}
{{- define "fairlead.refuse" -}}
{{- $role := lookup "rbac.authorization.k8s.io/v1" "ClusterRole" "" "fairlead-extender" }}
{{- if $role }}
  {{- $owner := $role.metadata.annotations | default dict }}
  {{- $name := get $owner "meta.helm.sh/release-name" }}
  {{- $namespace := get $owner "meta.helm.sh/release-namespace" }}
  {{- if not $name }}
    {{- fail "ClusterRole fairlead-extender is in this cluster and of no Helm release, so Fairlead was installed another way. Remove that first: kubectl delete clusterrole,clusterrolebinding fairlead-extender" }}
  {{- else if or (ne $name .Release.Name) (ne $namespace .Release.Namespace) }}
    {{- fail (printf "release %s in namespace %s is Fairlead in this cluster already, and two would answer the same schedulers and offer the same HCAs. Upgrade that one (helm upgrade %s -n %s), or remove it first (helm uninstall %s -n %s)" $name $namespace $name $namespace $name $namespace) }}
  {{- end }}
{{- end }}
{{- $definition := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "links.fairlead.dev" }}
{{- if and $definition .Values.links.enabled }}
  {{- $owner := $definition.metadata.annotations | default dict }}
  {{- if or (ne (get $owner "meta.helm.sh/release-name") .Release.Name) (ne (get $owner "meta.helm.sh/release-namespace") .Release.Namespace) }}
    {{- fail "the CustomResourceDefinition links.fairlead.dev is in this cluster and not of this release. Remove it: kubectl delete crd links.fairlead.dev (its Links hold only what is measured, and are written anew), or do without: --set links.enabled=false" }}
  {{- end }}
{{- end }}
{{- $given := .Values.config | default dict }}
{{- if hasKey $given "tls" }}
  {{- fail "config.tls is the chart's, which mounts the files; set the value tls.mode (generated, certManager, secret or none) and remove config.tls" }}
{{- end }}
{{- if hasKey $given "nodes" }}
  {{- fail "config.nodes is for a run without Kubernetes; here nodes come from the API server. Remove it, and label nodes with their site (config.site.nodeLabel, topology.kubernetes.io/region unless set)" }}
{{- end }}
{{- $extender := $given.extender | default dict }}
{{- if hasKey $extender "tokenDirectory" }}
  {{- fail "config.extender.tokenDirectory is for a run without Kubernetes; here the API server reviews the probes' tokens. Remove it" }}
{{- end }}
{{- $mode := ($extender.kubernetes | default dict).mode | default "inCluster" }}
{{- if ne $mode "inCluster" }}
  {{- fail (printf "config.extender.kubernetes.mode is %s; in a pod it is inCluster. Remove it" $mode) }}
{{- end }}
{{- if hasKey ($given.linkprobe | default dict) "tokenFile" }}
  {{- fail "config.linkprobe.tokenFile is the chart's, which mounts the token; remove it" }}
{{- end }}
{{- if and (eq .Values.tls.mode "secret") (or (not .Values.tls.secret.extender) (not .Values.tls.secret.linkprobe)) }}
  {{- fail "tls.mode is secret; name both secrets, each with tls.crt, tls.key and ca.crt: tls.secret.extender and tls.secret.linkprobe" }}
{{- end }}
{{- range $program := list "extender" "linkprobe" "deviceplugin" }}
  {{- range $label, $_ := (get $.Values $program).podLabels }}
    {{- if regexMatch "^(app[.]kubernetes[.]io/(name|instance)$|fairlead[.]dev/)" $label }}
      {{- fail (printf "%s.podLabels has %s, by which Services and workloads choose pods; use another label" $program $label) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- $needs := list }}
{{- if eq .Values.tls.mode "certManager" }}
  {{- $needs = append $needs (list "cert-manager.io/v1/Certificate" "tls.mode=certManager" "install cert-manager, or set tls.mode=generated") }}
{{- end }}
{{- if .Values.monitoring.podMonitors.enabled }}
  {{- $needs = append $needs (list "monitoring.coreos.com/v1/PodMonitor" "monitoring.podMonitors.enabled" "install the Prometheus operator, or set monitoring.podMonitors.enabled=false and monitoring.scrapeAnnotations=true") }}
{{- end }}
{{- if .Values.monitoring.rules.enabled }}
  {{- $needs = append $needs (list "monitoring.coreos.com/v1/PrometheusRule" "monitoring.rules.enabled" "install the Prometheus operator, or set monitoring.rules.enabled=false and give Prometheus deploy/prometheus/rules.yaml") }}
{{- end }}
{{- if eq .Values.scheduler.integration "volcano" }}
  {{- $needs = append $needs (list "scheduling.volcano.sh/v1beta1/PodGroup" "scheduler.integration=volcano" "install Volcano, or choose snippet, deployment or none") }}
{{- end }}
{{- range $needs }}
  {{- if not ($.Capabilities.APIVersions.Has (first .)) }}
    {{- fail (printf "%s needs %s, which this cluster does not have: %s. With helm template say --api-versions %s" (index . 1) (first .) (last .) (first .)) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* list of root and merged configuration: ends the rendering where an address cannot be reached or is taken twice. */}}
{{- define "fairlead.refuseListeners" -}}
{{- $values := (first .).Values }}
{{- $config := last . }}
{{- $taken := dict }}
{{- range $key := list "extender.httpListen" "extender.grpcListen" "extender.opsListen" "linkprobe.sessionListen" "linkprobe.opsListen" "linkprobe.udpListen" "deviceplugin.opsListen" }}
  {{- $program := splitList "." $key | first }}
  {{- $address := get (get $config $program) (splitList "." $key | last) }}
  {{- $port := include "fairlead.port" $address }}
  {{- if regexMatch "^(127[.]|\\[::1\\]|localhost:)" $address }}
    {{- fail (printf "config.%s is %s, which nobody reaches from outside the pod; write 0.0.0.0:%s" $key $address $port) }}
  {{- end }}
  {{- $of_host := and (dig "enabled" true (get $values $program)) (dig "hostNetwork" (ne $program "extender") (get $values $program)) }}
  {{- if and $of_host (ne $key "linkprobe.udpListen") }}
    {{- if hasKey $taken $port }}
      {{- fail (printf "config.%s and config.%s are both port %s of the host; give each its own" (get $taken $port) $key $port) }}
    {{- end }}
    {{- $_ := set $taken $port $key }}
  {{- end }}
{{- end }}
{{- end }}
