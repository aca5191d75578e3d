{{- /* What is of no namespace is called after the one that it is for, of which 'helm lint' knows none. */ -}}
{{- define "cordwood.clusterwide" -}}
{{ .Release.Namespace | default .Release.Name }}
{{- end -}}

{{- define "cordwood.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}

{{- define "cordwood.peers" -}}
{{- $peers := list -}}
{{- range $role := list "ingest" "store" -}}
{{- range $i := until (int (index $.Values $role).replicas) -}}
{{- $peers = append $peers (printf "%s-%d.%s" $role $i $role) -}}
{{- end -}}
{{- end -}}
{{- join "," $peers -}}
{{- end -}}

{{- define "cordwood.container" -}}
image: {{ include "cordwood.image" . }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end -}}
