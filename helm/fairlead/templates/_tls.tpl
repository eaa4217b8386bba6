{{/* list of root and services: the DNS names by which they are reached, as a JSON list. */}}
{{- define "fairlead.dnsNames" -}}
{{- $namespace := (first .).Release.Namespace }}
{{- $names := list }}
{{- range last . }}
  {{- $names = concat $names (list . (printf "%s.%s" . $namespace) (printf "%s.%s.svc" . $namespace) (printf "%s.%s.svc.cluster.local" . $namespace)) }}
{{- end }}
{{- toJson $names }}
{{- end }}
