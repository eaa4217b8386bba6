{{/* What helm prints after an installation or upgrade. */}}
{{- define "fairlead.notes" -}}
{{- $config := include "fairlead.config" . | fromYaml }}
{{- $label := ($config.site | default dict).nodeLabel | default "topology.kubernetes.io/region" }}
{{- $resource := include "fairlead.resources" $config | fromJsonArray | first }}
{{- $namespace := .Release.Namespace -}}
Fairlead {{ .Chart.AppVersion }} is in namespace {{ $namespace }}. Next:

  1. Each node says its site in the label {{ $label }}; one without takes no part:
       kubectl get nodes -L {{ $label }}
  2. Wait until all is ready, then let it check itself:
       kubectl -n {{ $namespace }} rollout status deploy/fairlead-extender{{ if .Values.linkprobe.enabled }} ds/fairlead-linkprobe{{ end }}{{ if .Values.deviceplugin.enabled }} ds/fairlead-deviceplugin{{ end }}
       helm test {{ .Release.Name }} -n {{ $namespace }} --logs
  3. Look at the links{{ if .Values.links.enabled }} (kubectl get links -o wide){{ end }}, and at why pods went where they are:
       kubectl -n {{ $namespace }} port-forward svc/fairlead-extender {{ include "fairlead.port" $config.extender.httpListen }}
       {{ include "fairlead.schedulerUrl" (list . "localhost") }}/links and /explain
{{ if .Values.deviceplugin.enabled }}
A pod asks for an HCA with  resources: {limits: {{ "{" }}{{ $resource }}: 1{{ "}}" }}.
{{- end }}
{{- if eq .Values.scheduler.integration "deployment" }}
Pods that say  schedulerName: {{ .Values.scheduler.name }}  are placed by the links.
{{- else if eq .Values.scheduler.integration "snippet" }}

kube-scheduler does not ask Fairlead yet. Its configuration needs the entry below, where CLUSTER_IP is what
  kubectl -n {{ $namespace }} get svc fairlead-extender -o jsonpath='{.spec.clusterIP}'
prints
{{- if eq .Values.tls.mode "none" }}:
{{- else }}, and its pod the file
  kubectl -n {{ $namespace }} get secret {{ include "fairlead.tlsSecret" (list . "extender") }} -o jsonpath='{.data.ca\.crt}' | base64 -d > fairlead-ca.crt
{{- end }}

  percentageOfNodesToScore: 100
  extenders:
{{- $url := include "fairlead.schedulerUrl" (list . (.Values.extender.clusterIP | default "CLUSTER_IP")) }}
{{- $plain := eq .Values.tls.mode "none" }}
{{- include "fairlead.schedulerEntry" (dict "root" . "url" $url "caFile" (ternary "" "/etc/kubernetes/fairlead-ca.crt" $plain) "serverName" (printf "fairlead-extender.%s.svc" $namespace)) | nindent 2 }}
{{- else if eq .Values.scheduler.integration "volcano" }}

Volcano does not ask Fairlead yet. Its scheduler's configuration (ConfigMap volcano-scheduler-configmap) needs this plugin
in a tier behind gang:

  - name: extender
    arguments:
      extender.urlPrefix: '{{ include "fairlead.schedulerUrl" (list . (printf "fairlead-extender.%s.svc" $namespace)) }}/volcano'
      extender.httpTimeout: {{ .Values.scheduler.httpTimeout }}
      extender.prioritizeVerb: prioritize
      extender.jobEnqueueableVerb: jobEnqueueable
      extender.ignorable: {{ .Values.scheduler.ignorable }}
      extender.managedResources:
      {{- range include "fairlead.resources" $config | fromJsonArray }}
      - {{ . }}
      {{- end }}
{{- if ne .Values.tls.mode "none" }}

It trusts the CA only where its pod finds it: mount ca.crt of secret {{ include "fairlead.tlsSecret" (list . "extender") }} into its pod, and
name the folder in its environment: SSL_CERT_DIR=/etc/ssl/certs:/etc/fairlead-ca
{{- end }}
{{- end }}
{{- if not .Values.config }}

`config` is empty: sites have no coordinates and lines no capacity, so nothing is known of them until it is measured.
{{- end }}
{{- end }}
