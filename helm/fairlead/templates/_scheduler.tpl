{{/*
dict of root, url (without a path), caFile and serverName: the extender's entry of a KubeSchedulerConfiguration, as
`fairlead-extender scheduler-config --for kube-scheduler` prints it.
*/}}
{{- define "fairlead.schedulerEntry" -}}
{{- $values := .root.Values.scheduler -}}
- urlPrefix: {{ .url }}/kube
  {{- if .caFile }}
  enableHTTPS: true
  tlsConfig:
    caFile: {{ .caFile }}
    {{- with .serverName }}
    serverName: {{ . }}
    {{- end }}
  {{- end }}
  filterVerb: filter
  prioritizeVerb: prioritize
  weight: {{ $values.weight }}
  nodeCacheCapable: true
  ignorable: {{ $values.ignorable }}
  httpTimeout: {{ $values.httpTimeout }}
  managedResources:
  {{- range include "fairlead.resources" (include "fairlead.config" .root | fromYaml) | fromJsonArray }}
  - {name: {{ . }}, ignoredByScheduler: false}
  {{- end }}
{{- end }}

{{/* The extender's URL for schedulers, without a path, by its Service's name or by the host that is given. */}}
{{- define "fairlead.schedulerUrl" -}}
{{- $root := first . }}
{{- $scheme := ternary "http" "https" (eq $root.Values.tls.mode "none") }}
{{- $port := include "fairlead.port" (include "fairlead.config" $root | fromYaml).extender.httpListen }}
{{- printf "%s://%s:%s" $scheme (last .) $port }}
{{- end }}
