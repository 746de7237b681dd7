/** The files for Prometheus and Grafana, checked by promtool and by a Prometheus that scrapes a relay and a bridge. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { metricsIn, readAlerts, readDashboard } from '../support/deploy.ts'
import { type Prometheus, promtool, startPrometheus } from '../support/prometheus.ts'
import { connectRelay } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

const TOPIC = 'ab'.repeat(32)
/** Values that replace Grafana's variables. */
const VARIABLES = { $__rate_interval: '1m', $job: 'heliograph.*', $instance: '.*' }
const filledIn = (expression: string): string =>
  Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expression)
const panels = readDashboard().panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ title, expression: filledIn(expr) })),
)

/** Milliseconds between two uses of the servers, which are used until Prometheus has the rate of every metric. */
const PACE = 100

let folder: string
let relay: Server
let bridge: Server
let prometheus: Prometheus
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  relay = await startServer('relay-server', { dataDir: join(folder, 'relay') })
  bridge = await startServer('bridge-server', { dataDir: join(folder, 'bridge') })
  prometheus = await startPrometheus(join(folder, 'prometheus'), {
    'heliograph-relay': new URL(relay.url).host,
    'heliograph-bridge': new URL(bridge.url).host,
  })
})
afterAll(async () => {
  await Promise.all([relay.stop(), bridge.stop(), prometheus.stop()])
  rmSync(folder, { recursive: true })
})

test('promtool accepts the configuration and the rules, and their tests pass', async () => {
  expect(await promtool('check', 'config', 'deploy/prometheus/prometheus.yml')).toContain('SUCCESS')
  expect(await promtool('check', 'rules', 'deploy/prometheus/alerts.yml')).toContain(
    `${readAlerts().length} rules found`,
  )
  expect(await promtool('test', 'rules', 'deploy/prometheus/alerts.test.yml')).toContain('SUCCESS')
  const wrong = join(folder, 'wrong.yml')
  writeFileSync(wrong, '{"groups":[{"name":"a","rules":[{"alert":"A","expr":"up =="}]}]}')
  await expect(promtool('check', 'rules', wrong)).rejects.toThrow('parse error')
})

/** Uses each server with two clients, so that every counter and histogram has a value. */
const use = async (): Promise<void> => {
  const [ann, ben] = [await connectRelay(relay.url, 1), await connectRelay(relay.url, 2)]
  await ben.call('relay_subscribe', { topic: TOPIC })
  await ann.call('relay_publish', { topic: TOPIC, message: 'm', ttl: 300 })
  ben.acknowledge(await ben.push())
  await ann.call('none', {})
  const [cid, dan] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  dan.sub(TOPIC)
  await dan.rest()
  cid.pub(TOPIC, 'frame')
  await dan.payloads(1)
  await Promise.all([ann, ben, cid, dan].map(client => client.close()))
}

test('every dashboard panel without Redis shows data, and every expression is valid', async () => {
  let isRunning = true
  const useAll = async (): Promise<void> => {
    while (isRunning) {
      await use()
      await pause(PACE)
    }
  }
  const used = useAll()
  /**
   * True for counters by a label, which have no values before the first refusal or call, and for certificates, which
   * need TLS.
   */
  const isRare = (expression: string) =>
    /(refusals|refused_connections|webhook_calls)_total|tls_certificate/.test(expression)
  const isShown = ({ expression }: { expression: string }) =>
    !metricsIn(expression).some(name => name.startsWith('heliograph_redis_')) && !isRare(expression)
  const shown = panels.filter(isShown)
  expect(shown.length).toBeGreaterThan(25)
  for (const { title, expression } of shown)
    await expect.poll(() => prometheus.count(expression), { message: title }).toBeGreaterThan(0)
  isRunning = false
  await used
  for (const { expression } of panels) await prometheus.count(expression)
  for (const { expr } of readAlerts()) await prometheus.count(expr)
  await expect(prometheus.count('up ==')).rejects.toThrow()
})

test('a healthy relay and a healthy bridge fire no alert, except alerts that depend on this machine', async () => {
  await expect.poll(() => prometheus.count('up == 1')).toBe(2)
  // On a busy machine, a scrape may fail, but not for the whole minute that the alert on `up` requires. The test
  // therefore leaves out that alert.
  const alerts = readAlerts().filter(({ expr }) => !/^up\b|answer_seconds|disk_free/.test(expr))
  for (const { alert, expr } of alerts) expect([alert, await prometheus.count(expr)]).toEqual([alert, 0])
})
