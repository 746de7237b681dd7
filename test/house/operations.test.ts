/** The files for operators: they name settings and files that there are. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { envText, variableOf } from '@heliograph/shared/server/config'
import { expect, test } from 'vitest'
import { bridgeRows } from '../../bridge-server/src/config.ts'
import { relayRows } from '../../relay-server/src/config.ts'
import { root } from '../root.ts'
import { read } from './sources.ts'

const HEAD = `# Settings of the relay and the bridge, each with its default. Copy this to .env and uncomment what you change:
# compose.yaml reads that, and node --env-file=.env does.

# The domain of compose.yaml and its Caddyfile, which serve relay.<domain> and bridge.<domain>
#DOMAIN=example.org
`

test('.env.example has a line for every setting (vitest -u writes it)', async () => {
  const text = [HEAD, envText('RELAY', relayRows), envText('BRIDGE', bridgeRows)].join('\n')
  await expect(text).toMatchFileSnapshot(join(root, '.env.example'))
})

const variables = new Set([
  ...Object.keys(relayRows).map(name => variableOf('RELAY', name)),
  ...Object.keys(bridgeRows).map(name => variableOf('BRIDGE', name)),
])
const units = ['deploy/heliograph-relay.service', 'deploy/heliograph-bridge.service']

test.each(['Dockerfile', 'compose.yaml', ...units, 'docs/self-hosting.md'])(
  '%s names settings that there are',
  path => {
    const named = [...read(path).matchAll(/\b(?:RELAY|BRIDGE)_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(name => !variables.has(name))).toEqual([])
  },
)

test.each(['Dockerfile', 'compose.yaml', ...units])('%s starts and copies what there is', path => {
  const text = read(path)
  const started = [...text.matchAll(/[\w-]+-server\/src\/main\.ts/g)].map(([file]) => file)
  const copied = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '))
  expect(started.length).toBeGreaterThan(0)
  for (const file of [...started, ...copied]) expect(existsSync(join(root, file)), file).toBe(true)
})
