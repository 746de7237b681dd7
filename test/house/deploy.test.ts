/** Checks the files for operators in deploy/: alerts, the dashboard and the Kubernetes manifests. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, variableOf } from '@heliograph/shared/server/process/config'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { bridgeRows } from '../../bridge-server/src/config.ts'
import { relayRows } from '../../relay-server/src/config.ts'
import { metricsIn, readAlerts, readDashboard, readManifests } from '../support/deploy.ts'
import { root } from '../support/root.ts'
import * as schemas from './kubernetes.ts'
import { read } from './sources.ts'

test('alerts have different names, and each uses metrics', () => {
  const alerts = readAlerts()
  expect(alerts.length).toBeGreaterThan(15)
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  for (const { alert, expr } of alerts) expect(metricsIn(expr), alert).not.toEqual([])
  const tests = read('deploy/prometheus/alerts.test.yml')
  const tested = [...tests.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name)
  expect(tested.filter(name => !alerts.some(({ alert }) => alert === name))).toEqual([])
})

test('the panels of the dashboard have different ids and do not overlap, and each shows metrics', () => {
  const { panels } = readDashboard()
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
    expect(x + w, title).toBeLessThanOrEqual(24)
    return Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
  for (const { title, type, targets } of panels) {
    expect(targets.length > 0, title).toBe(type !== 'row')
    for (const { expr } of targets) expect(metricsIn(expr), title).not.toEqual([])
  }
})

describe('Kubernetes', () => {
  const [kustomization] = readManifests('kustomization.yaml').map(document => v.parse(schemas.Kustomization, document))

  test('kustomization.yaml lists every manifest, and there are no other files', () => {
    const files = readdirSync(join(root, 'deploy/kubernetes'))
    expect([...(kustomization?.resources ?? []), 'kustomization.yaml'].toSorted()).toEqual(files.toSorted())
    expect(readManifests('namespace.yaml').map(document => v.parse(schemas.Namespace, document).metadata.name)).toEqual(
      [kustomization?.namespace],
    )
  })

  const maps = new Map(
    readManifests('settings.yaml')
      .map(document => v.parse(schemas.ConfigMap, document))
      .map(({ metadata, data }) => [metadata.name, data]),
  )

  describe.each([
    ['relay', 'RELAY', relayRows],
    ['bridge', 'BRIDGE', bridgeRows],
  ] as const)('%s', (kind, prefix, rows) => {
    const [first, second, third, ...others] = readManifests(`${kind}.yaml`)
    const deployment = v.parse(schemas.Deployment, first)
    const service = v.parse(schemas.Service, second)
    const budget = v.parse(schemas.PodDisruptionBudget, third)
    const { replicas, selector, template } = deployment.spec
    const [container] = template.spec.containers
    const values = new Map(container.env.map(variable => [variable.name, 'value' in variable ? variable.value : '']))

    test('Service, disruption budget and spread select the pods of the Deployment', () => {
      expect(others).toEqual([])
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
      expect(service.spec.selector).toEqual(selector.matchLabels)
      expect(budget.spec.selector).toEqual(selector)
      expect(template.spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector)).toEqual([selector])
      expect(replicas).toBeGreaterThan(budget.spec.maxUnavailable)
    })

    test('settings exist and are valid, and Redis URLs and tokens come from secrets', () => {
      const env = {
        ...maps.get(`heliograph-${kind}`),
        [`${prefix}_STOP_SECONDS`]: values.get(`${prefix}_STOP_SECONDS`),
      }
      const known = new Set(Object.keys(rows).map(name => variableOf(prefix, name)))
      expect([...Object.keys(env), ...values.keys()].filter(name => !known.has(name))).toEqual([])
      expect(container.envFrom).toEqual([{ configMapRef: { name: `heliograph-${kind}` } }])
      expect(readConfig(prefix, rows, { args: [], env }).proxies).toHaveLength(1)
      const secrets = container.env.filter(variable => 'valueFrom' in variable).map(({ name }) => name)
      expect(secrets).toEqual([`${prefix}_REDIS_URL`, `${prefix}_STATUS_TOKEN`])
    })

    test('a pod has enough time to stop, and the image has its command and data directory', () => {
      const stop = Number(values.get(`${prefix}_STOP_SECONDS`))
      const { preStop } = container.lifecycle
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(preStop.sleep.seconds + stop + 1)
      expect(container.args).toEqual([`heliograph-${kind}`])
      const dockerfile = read('Dockerfile')
      for (const { mountPath } of container.volumeMounts)
        expect(dockerfile).toContain(`${prefix}_DATA_DIR=${mountPath}`)
      for (const { containerPort } of container.ports) expect(dockerfile).toContain(`${prefix}_PORT=${containerPort}`)
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(template.spec.volumes.map(({ name }) => name))
    })

    test('a pod without access to Redis gets no new clients and is not restarted', () => {
      expect(container.readinessProbe.httpGet.path).toBe('/ready')
      expect(container.livenessProbe.httpGet.path).toBe('/hello')
    })
  })

  test('the Ingress reaches both Services, keeps WebSockets open, and logs no query string', () => {
    const [ingress] = readManifests('ingress.yaml').map(document => v.parse(schemas.Ingress, document))
    const { rules = [], tls = [] } = ingress?.spec ?? {}
    const named = rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service.name))
    expect(named).toEqual(['heliograph-relay', 'heliograph-bridge'])
    expect(tls.flatMap(({ hosts }) => hosts)).toEqual(rules.map(({ host }) => host))
    const annotations = ingress?.metadata.annotations ?? {}
    const option = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`]
    const longest = Math.max(relayRows.idleSeconds.default, bridgeRows.idleSeconds.default)
    expect(Number(option('proxy-read-timeout'))).toBeGreaterThan(2 * longest)
    expect(Number(option('proxy-send-timeout'))).toBeGreaterThan(2 * longest)
    expect(option('enable-access-log')).toBe('false')
  })
})
