{{/* What pods and containers of Fairlead's programs have in common. */}}

{{- define "fairlead.containerSecurity" -}}
privileged: false
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* dict of root, program, config and values: annotations and labels of a pod template. */}}
{{- define "fairlead.podMetadata" -}}
{{- $listen := (get .config .program).opsListen -}}
annotations:
  fairlead.dev/restart-hash: {{ include "fairlead.restartHash" . | quote }}
  {{- if .root.Values.monitoring.scrapeAnnotations }}
  prometheus.io/scrape: "true"
  prometheus.io/port: {{ include "fairlead.port" $listen | quote }}
  {{- end }}
  {{- with .values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
labels:
  {{- include "fairlead.selector" (list .root .program) | nindent 2 }}
  app.kubernetes.io/part-of: fairlead
  {{- with .values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* dict of root and values: where the pods run, and what of. */}}
{{- define "fairlead.placement" -}}
priorityClassName: {{ .values.priorityClassName | quote }}
nodeSelector:
  kubernetes.io/os: linux
  {{- with .values.nodeSelector }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* A container's health probes, by its port `ops`. */}}
{{- define "fairlead.health" -}}
startupProbe:
  httpGet: {path: /healthz, port: ops}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: ops}
  periodSeconds: 20
  timeoutSeconds: 10
readinessProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{/* dict of root and program: the volume of its TLS files. Below, its mount. */}}
{{- define "fairlead.tlsVolume" -}}
{{- if ne .root.Values.tls.mode "none" -}}
- name: tls
  secret: {secretName: {{ include "fairlead.tlsSecret" (list .root .program) }}}
{{- end }}
{{- end }}

{{- define "fairlead.tlsMount" -}}
{{- if ne .root.Values.tls.mode "none" -}}
- {name: tls, mountPath: /run/secrets/fairlead-tls, readOnly: true}
{{- end }}
{{- end }}

{{/* list of root and program: the name of its secret of tls.crt, tls.key and ca.crt. */}}
{{- define "fairlead.tlsSecret" -}}
{{- if eq (first .).Values.tls.mode "secret" -}}
{{ get (first .).Values.tls.secret (last .) }}
{{- else -}}
fairlead-{{ last . }}-tls
{{- end }}
{{- end }}

{{/* list of root, program and how: keeps a program's pods on different nodes. */}}
{{- define "fairlead.apart" -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname"
  "labelSelector" (dict "matchLabels" (include "fairlead.selector" (list (index . 0) (index . 1)) | fromYaml)) }}
{{- if eq (last .) "soft" -}}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        {{- toYaml $term | nindent 8 }}
{{- else if eq (last .) "hard" -}}
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - {{ toYaml $term | nindent 6 | trim }}
{{- end }}
{{- end }}
