/** Checks the effects of a document's commands, apart from their output. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '@heliograph/shared/server/process/config'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { bridgeRows } from '../../bridge-server/src/config.ts'
import { relayRows } from '../../relay-server/src/config.ts'
import { read } from '../house/sources.ts'
import { madePackages } from '../packages/made.ts'
import type { Terminal } from './terminal.ts'

/** Returns the variables that a file sets. */
const variablesOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => line.split('=', 2)),
  )

const TOKEN = /^[0-9a-f]{64}$/
const COMPOSE = 'docker compose up --build --detach'

/** Checks the settings that a document wrote, and the services that it started. */
const checkCompose = (clone: string): void => {
  const env = variablesOf(join(clone, '.env'))
  expect(Object.keys(env)).toEqual(['DOMAIN', 'RELAY_ADDRESS_BURST', 'RELAY_STATUS_TOKEN', 'BRIDGE_STATUS_TOKEN'])
  expect(readConfig('RELAY', relayRows, { args: [], env }).statusToken).toMatch(TOKEN)
  expect(readConfig('BRIDGE', bridgeRows, { args: [], env }).statusToken).toMatch(TOKEN)
  const { services } = parse(readFileSync(join(clone, 'compose.yaml'), 'utf8'))
  expect(Object.keys(services)).toEqual(['relay', 'bridge', 'caddy'])
}

/** Checks that a clone made the server packages alone, with the same bytes as this checkout. */
const checkPackages = async (clone: string): Promise<void> => {
  const made = (await madePackages()).filter(({ name }) => /^heliograph-(?:relay|bridge)-/.test(name))
  const written = readdirSync(join(clone, 'dist')).toSorted()
  expect(written).toEqual(made.map(({ name }) => name).toSorted())
  for (const { name, bytes } of made)
    expect(Buffer.compare(bytes, readFileSync(join(clone, 'dist', name))), name).toBe(0)
}

/** Checks the settings and units that a document wrote, and the units that it enabled. */
const checkUnits = ({ home, calls }: Terminal): void => {
  const relay = readConfig('RELAY', relayRows, { args: [], env: variablesOf(join(home, 'etc/heliograph/relay.env')) })
  const bridge = readConfig('BRIDGE', bridgeRows, {
    args: [],
    env: variablesOf(join(home, 'etc/heliograph/bridge.env')),
  })
  expect([relay.statusToken, bridge.statusToken]).toEqual([expect.stringMatching(TOKEN), expect.stringMatching(TOKEN)])
  const enabled = calls().flatMap(call => /^systemctl enable --now (.+)$/.exec(call)?.[1]?.split(' ') ?? [])
  expect(enabled).not.toEqual([])
  for (const unit of enabled) expect(existsSync(join(home, `etc/systemd/system/${unit}.service`)), unit).toBe(true)
  const [packages = ''] = calls().flatMap(call => /^npm install --global .* (\.\/.+ \.\/.+)$/.exec(call)?.[1] ?? [])
  const version = JSON.parse(read('package.json')).version
  expect(packages.split(' ')).toEqual(['relay', 'bridge'].map(kind => `./heliograph-${kind}-${version}.tgz`))
}

/** Checks that the secret that a document created has the name and keys that the manifests use. */
const checkSecrets = ({ calls }: Terminal): void => {
  const [, secret = '', apply] = calls()
  expect(apply).toBe('kubectl apply -k deploy/kubernetes')
  const [, name = ''] = /create secret generic (\S+)/.exec(secret) ?? []
  const keys = [...secret.matchAll(/--from-literal=([\w-]+)=/g)].map(([, key = '']) => key)
  expect(keys).toEqual(['redis-url', 'status-token'])
  for (const word of [name, ...keys]) expect(read('deploy/kubernetes/relay.yaml')).toContain(word)
}

/** The checks, by document. */
export const AFTERWARDS: Record<string, (terminal: Terminal) => void | Promise<void>> = {
  'docs/start-operator.md': async ({ home, calls }) => {
    expect(calls()).toEqual([COMPOSE])
    const clone = join(home, 'heliograph/heliograph')
    checkCompose(clone)
    await checkPackages(clone)
  },
  'docs/self-hosting.md': terminal => {
    expect(terminal.calls()).toContain(COMPOSE)
    checkCompose(join(terminal.home, 'heliograph'))
    checkUnits(terminal)
  },
  'docs/scaling.md': checkSecrets,
}
