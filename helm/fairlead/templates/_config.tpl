{{/*
The merged configuration as YAML: what is given as values.config over what the chart sets.
*/}}
{{- define "fairlead.config" -}}
{{- $namespace := .Release.Namespace }}
{{- $own := dict
  "extender" (dict
    "httpListen" "0.0.0.0:8471"
    "grpcListen" "0.0.0.0:8472"
    "opsListen" "0.0.0.0:9472"
    "kubernetes" (dict
      "mode" "inCluster"
      "tokenAudience" "fairlead-extender"
      "probeServiceAccount" (printf "%s/fairlead-linkprobe" $namespace)))
  "linkprobe" (dict
    "sessionListen" "0.0.0.0:7471"
    "opsListen" "0.0.0.0:9471"
    "udpListen" "0.0.0.0:7472"
    "tokenFile" "/run/secrets/fairlead/token"
    "bandwidthLedger" "/var/lib/fairlead/linkprobe/bandwidth-spent")
  "deviceplugin" (dict
    "opsListen" "0.0.0.0:9473"
    "kubeletDirectory" "/var/lib/kubelet"
    "registration" "legacy"
    "cdiDirectory" "/var/run/cdi"
    "probeSocket" "/run/fairlead/deviceplugin.sock"
    "ncclConfDirectory" "/var/lib/fairlead/nccl")
}}
{{- if eq .Values.tls.mode "none" }}
  {{- $_ := set $own "tls" (dict "plaintext" true) }}
{{- else }}
  {{- $folder := "/run/secrets/fairlead-tls" }}
  {{- $_ := set $own "tls" (dict
    "certificateFile" (printf "%s/tls.crt" $folder)
    "keyFile" (printf "%s/tls.key" $folder)
    "caFile" (printf "%s/ca.crt" $folder)) }}
  {{- $_ := set $own.linkprobe "peerCertificateName" (printf "fairlead-linkprobe.%s.svc" $namespace) }}
{{- end }}
{{- $merged := $own }}
{{- $_ := include "fairlead.overlay" (list $merged (.Values.config | default dict)) }}
{{- if not (hasKey $merged.linkprobe "extender") }}
  {{- $port := include "fairlead.port" $merged.extender.grpcListen }}
  {{- $_ := set $merged.linkprobe "extender" (printf "fairlead-extender-reports.%s.svc:%s" $namespace $port) }}
{{- end }}
{{- if not (hasKey $merged.linkprobe "pluginSocket") }}
  {{- $tells := and .Values.deviceplugin.enabled .Values.linkprobe.tellPlugin }}
  {{- $_ := set $merged.linkprobe "pluginSocket" (ternary $merged.deviceplugin.probeSocket "" $tells) }}
{{- end }}
{{- toYaml $merged }}
{{- end }}

{{/* list of two maps: the first becomes the second over the first, also where that is false, 0 or empty. */}}
{{- define "fairlead.overlay" -}}
{{- $base := first . }}
{{- range $key, $value := last . }}
  {{- if and (kindIs "map" $value) (kindIs "map" (get $base $key)) }}
    {{- $_ := include "fairlead.overlay" (list (get $base $key) $value) }}
  {{- else }}
    {{- $_ := set $base $key $value }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The port of host:port. */}}
{{- define "fairlead.port" -}}
{{- regexFind "[0-9]+$" (toString .) }}
{{- end }}

{{/*
dict of config and program: a hash of what it reads only at its start, so that an upgrade that changes nothing else
rolls no pod. The keys are those that the programs name in /readyz and config_restart_needed.
*/}}
{{- define "fairlead.restartHash" -}}
{{- $read := dict "extender" .config.extender "linkprobe" .config.linkprobe "deviceplugin" .config.deviceplugin }}
{{- $kept := get $read .program }}
{{- if eq .program "extender" }}
  {{- $kept = omit $kept "representativesPerSite" "neighboursInSite" "staleAfter" "gangTtl" "volcanoScale" "fineScale" "bandwidth" }}
{{- else if eq .program "deviceplugin" }}
  {{- $kept = omit $kept "pools" "gidAllow" "gidDeny" "outage" "health" "removeAfter" "cdi" }}
{{- end }}
{{- $tls := ternary (dict) .config.tls (eq .program "deviceplugin") }}
{{- list $kept $tls | toJson | sha256sum | trunc 16 }}
{{- end }}

{{/* The resources of a merged configuration's pools, as a JSON list. */}}
{{- define "fairlead.resources" -}}
{{- $names := list }}
{{- range (.deviceplugin.pools | default (list (dict "resource" "rdma/hca"))) }}
  {{- $names = append $names .resource }}
{{- end }}
{{- toJson $names }}
{{- end }}

{{/* The pool that sets variables and its priorities, as a JSON list: resources of which a container may ask for one. */}}
{{- define "fairlead.priorities" -}}
{{- $chosen := "" }}
{{- $first := "" }}
{{- range .deviceplugin.pools }}
  {{- if and (not .priorityOf) .variables (not $chosen) }}
    {{- $chosen = .resource }}
  {{- else if and (not .priorityOf) (not (hasKey . "variables")) (not $first) }}
    {{- $first = .resource }}
  {{- end }}
{{- end }}
{{- $setter := $chosen | default $first }}
{{- $names := list }}
{{- range .deviceplugin.pools }}
  {{- if and $setter (or (eq .resource $setter) (eq (.priorityOf | default "") $setter)) }}
    {{- $names = append $names .resource }}
  {{- end }}
{{- end }}
{{- toJson $names }}
{{- end }}
