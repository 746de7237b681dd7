/**
 * The fields that the manifests of deploy/kubernetes use, strictly:
 * https://kubernetes.io/docs/reference/kubernetes-api/. A misspelt or misplaced field is rejected, as by `kubectl apply
 * --validate=strict`.
 */
import * as v from 'valibot'

/** A DNS label, RFC 1123. */
const Name = v.pipe(v.string(), v.maxLength(63), v.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/))
const LabelValue = v.pipe(v.string(), v.maxLength(63), v.regex(/^[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/))
const LabelKey = v.pipe(v.string(), v.regex(/^([a-z0-9.-]+\/)?[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/))
const Labels = v.record(LabelKey, LabelValue)
const Metadata = v.strictObject({
  name: Name,
  labels: v.optional(Labels),
  // Annotations are strings, even if they look like numbers.
  annotations: v.optional(v.record(LabelKey, v.string())),
})
const Selector = v.strictObject({ matchLabels: Labels })
const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Port = v.pipe(Count, v.minValue(1), v.maxValue(65_535))
const Quantity = v.pipe(v.string(), v.regex(/^\d+(m|Ki|Mi|Gi)?$/))
const Resources = v.strictObject({ cpu: v.optional(Quantity), memory: Quantity })

const Probe = v.strictObject({
  httpGet: v.strictObject({ path: v.pipe(v.string(), v.startsWith('/')), port: v.literal('http') }),
  periodSeconds: Count,
  timeoutSeconds: v.optional(Count),
  failureThreshold: Count,
})

const Variable = v.union([
  v.strictObject({ name: v.string(), value: v.string() }),
  v.strictObject({
    name: v.string(),
    valueFrom: v.strictObject({ secretKeyRef: v.strictObject({ name: Name, key: v.string() }) }),
  }),
])

const Container = v.strictObject({
  name: Name,
  image: v.string(),
  args: v.array(v.string()),
  ports: v.array(v.strictObject({ name: Name, containerPort: Port })),
  envFrom: v.array(v.strictObject({ configMapRef: v.strictObject({ name: Name }) })),
  env: v.array(Variable),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  lifecycle: v.strictObject({ preStop: v.strictObject({ sleep: v.strictObject({ seconds: Count }) }) }),
  resources: v.strictObject({ requests: Resources, limits: Resources }),
  securityContext: v.strictObject({
    allowPrivilegeEscalation: v.literal(false),
    readOnlyRootFilesystem: v.literal(true),
    capabilities: v.strictObject({ drop: v.tuple([v.literal('ALL')]) }),
  }),
  volumeMounts: v.array(v.strictObject({ name: Name, mountPath: v.string() })),
})

const Pod = v.strictObject({
  automountServiceAccountToken: v.literal(false),
  enableServiceLinks: v.literal(false),
  terminationGracePeriodSeconds: Count,
  securityContext: v.strictObject({
    runAsNonRoot: v.literal(true),
    runAsUser: v.pipe(Count, v.minValue(1)),
    runAsGroup: v.pipe(Count, v.minValue(1)),
    fsGroup: v.pipe(Count, v.minValue(1)),
    seccompProfile: v.strictObject({ type: v.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: v.array(
    v.strictObject({
      maxSkew: v.pipe(Count, v.minValue(1)),
      topologyKey: LabelKey,
      whenUnsatisfiable: v.picklist(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: Selector,
    }),
  ),
  containers: v.tuple([Container]),
  volumes: v.array(v.strictObject({ name: Name, emptyDir: v.strictObject({ sizeLimit: Quantity }) })),
})

export const Deployment = v.strictObject({
  apiVersion: v.literal('apps/v1'),
  kind: v.literal('Deployment'),
  metadata: Metadata,
  spec: v.strictObject({
    replicas: Count,
    revisionHistoryLimit: Count,
    selector: Selector,
    strategy: v.strictObject({
      type: v.literal('RollingUpdate'),
      rollingUpdate: v.strictObject({ maxSurge: Count, maxUnavailable: Count }),
    }),
    template: v.strictObject({ metadata: v.strictObject({ labels: Labels }), spec: Pod }),
  }),
})

export const Service = v.strictObject({
  apiVersion: v.literal('v1'),
  kind: v.literal('Service'),
  metadata: Metadata,
  spec: v.strictObject({
    selector: Labels,
    ports: v.array(v.strictObject({ name: Name, port: Port, targetPort: v.literal('http') })),
  }),
})

export const PodDisruptionBudget = v.strictObject({
  apiVersion: v.literal('policy/v1'),
  kind: v.literal('PodDisruptionBudget'),
  metadata: Metadata,
  spec: v.strictObject({ maxUnavailable: Count, selector: Selector }),
})

const Backend = v.strictObject({
  service: v.strictObject({ name: Name, port: v.strictObject({ name: v.literal('http') }) }),
})

export const Ingress = v.strictObject({
  apiVersion: v.literal('networking.k8s.io/v1'),
  kind: v.literal('Ingress'),
  metadata: Metadata,
  spec: v.strictObject({
    ingressClassName: Name,
    tls: v.array(v.strictObject({ hosts: v.array(v.string()), secretName: Name })),
    rules: v.array(
      v.strictObject({
        host: v.string(),
        http: v.strictObject({
          paths: v.array(v.strictObject({ path: v.string(), pathType: v.literal('Prefix'), backend: Backend })),
        }),
      }),
    ),
  }),
})

export const ConfigMap = v.strictObject({
  apiVersion: v.literal('v1'),
  kind: v.literal('ConfigMap'),
  metadata: Metadata,
  data: v.record(v.string(), v.string()),
})

export const Namespace = v.strictObject({
  apiVersion: v.literal('v1'),
  kind: v.literal('Namespace'),
  metadata: Metadata,
})

export const Kustomization = v.strictObject({
  apiVersion: v.literal('kustomize.config.k8s.io/v1beta1'),
  kind: v.literal('Kustomization'),
  namespace: Name,
  resources: v.array(v.string()),
  images: v.array(v.strictObject({ name: v.string(), newName: v.string(), newTag: v.string() })),
})
