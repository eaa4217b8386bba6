{{/* dict of root and name: what `helm test` pods have in common, but for the containers. */}}
{{- define "fairlead.checkMetadata" -}}
name: fairlead-check-{{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "fairlead.labels" .root | nindent 2 }}
annotations:
  helm.sh/hook: test
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
