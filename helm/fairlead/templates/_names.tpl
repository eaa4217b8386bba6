{{/* Names are the same for every release, for a cluster has one: see refuse.tpl. */}}

{{- define "fairlead.labels" -}}
app.kubernetes.io/part-of: fairlead
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* list of root and program: labels that its pods are selected by. */}}
{{- define "fairlead.selector" -}}
app.kubernetes.io/name: fairlead-{{ last . }}
app.kubernetes.io/instance: {{ (first .).Release.Name }}
{{- end }}

{{/* list of root and program: the metadata of its workload and what belongs to it. */}}
{{- define "fairlead.metadata" -}}
name: fairlead-{{ last . }}
namespace: {{ (first .).Release.Namespace }}
labels:
  app.kubernetes.io/name: fairlead-{{ last . }}
  {{- include "fairlead.labels" (first .) | nindent 2 }}
{{- end }}

{{/* list of root and program: the reference of its image. */}}
{{- define "fairlead.image" -}}
{{- $root := first . }}
{{- $registry := required "image.registry is not set. Push the images that `make images` builds to a registry of yours and name it: --set image.registry=registry.example/fairlead. Where every node has the images already: --set image.registry=localhost" $root.Values.image.registry }}
{{- printf "%s/fairlead-%s:%s" (trimSuffix "/" $registry) (last .) ($root.Values.image.tag | default $root.Chart.AppVersion) }}
{{- end }}
