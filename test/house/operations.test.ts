/** Checks that the files for operators name only existing settings and files. */
import { basename, join } from 'node:path'
import { envText, variableOf } from '@heliograph/shared/server/process/config'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bridgeRows } from '../../bridge-server/src/config.ts'
import { bridgeProgram } from '../../bridge-server/src/program.ts'
import { relayRows } from '../../relay-server/src/config.ts'
import { relayProgram } from '../../relay-server/src/program.ts'
import { root } from '../support/root.ts'
import { read } from './sources.ts'

const HEAD = `# Settings of the relay and the bridge, each with its default. Copy this file to .env and uncomment what you change.
# compose.yaml reads .env, and so does node --env-file=.env.

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

test.each(['Dockerfile', 'compose.yaml', ...units, 'docs/self-hosting.md'])('%s names only existing settings', path => {
  const named = [...read(path).matchAll(/\b(?:RELAY|BRIDGE)_[A-Z_]+\b/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(name => !variables.has(name))).toEqual([])
})

test.each(['Dockerfile', 'compose.yaml', ...units])('%s starts a command that the packages install', path => {
  const lines = read(path).match(/^(?:ExecStart=|CMD \["h| +command:).*$/gm) ?? []
  const started = lines.map(line => /heliograph-\w+/.exec(line)?.[0])
  expect(started.length).toBeGreaterThan(0)
  for (const name of started) expect([relayProgram.name, bridgeProgram.name]).toContain(name)
})

test('the Dockerfile installs both packages, and the rest of the repository is excluded from the build', () => {
  const [, copied = ''] = /^COPY (?!--)(.+) \S+$/m.exec(read('Dockerfile')) ?? []
  const archives = [relayProgram, bridgeProgram].map(({ name }) => `dist/${name}-*.tgz`)
  expect(copied.split(' ')).toEqual(archives)
  expect(read('.dockerignore').trim().split('\n')).toEqual(['*', '!dist', 'dist/*', '!dist/*.tgz'])
})

test.each(units)('%s runs the program from the prefix that the document installs to', path => {
  const [, prefix] = /npm install --global --prefix (\S+) /.exec(read('docs/self-hosting.md')) ?? []
  expect(read(path)).toContain(`\nExecStart=${prefix}/bin/${basename(path, '.service')}\n`)
})

test("the guide names the firewall's ports and limits, and the unit loads the installed file", () => {
  const rules = read('deploy/nftables.conf')
  const [, first, second] = /^define PORTS = \{ (\d+), (\d+) \}$/m.exec(rules) ?? []
  const bounds = [...rules.matchAll(/limit rate over (\d+)\/second burst (\d+) packets/g)]
  expect(bounds).toHaveLength(2)
  for (const [, rate, burst] of bounds) {
    const sentence = `${burst} connections at once, and ${rate} a second after that, to the ports ${first} and ${second}`
    expect(read('docs/self-hosting.md').replaceAll(/\s+/g, ' ')).toContain(sentence)
  }
  const [, folder] = /^cp deploy\/nftables\.conf (\S+)$/m.exec(read('docs/self-hosting.md')) ?? []
  expect(read('deploy/heliograph-firewall.service')).toContain(
    `\nExecStart=/usr/sbin/nft --file ${folder}nftables.conf\n`,
  )
})

test("compose.yaml derives the relay's public URL from the domain unless it is set", () => {
  expect(read('compose.yaml')).toMatch(/RELAY_PUBLIC_URLS: \$\{RELAY_PUBLIC_URLS:-wss:\/\/relay\.\$\{DOMAIN\}\}/)
})

test('compose.yaml limits the logs of every service', () => {
  const Services = v.object({
    services: v.record(
      v.string(),
      v.object({
        logging: v.object({
          driver: v.literal('local'),
          options: v.object({ 'max-size': v.string(), 'max-file': v.string() }),
        }),
      }),
    ),
  })
  const { services } = v.parse(Services, parse(read('compose.yaml'), { merge: true }))
  expect(Object.keys(services)).toEqual(['relay', 'bridge', 'caddy'])
})

describe('the documented proxies log no query string', () => {
  /** Variables of nginx that hold a query string, or a URL with one. */
  const REVEALING = /\$(?:request|request_uri|args|query_string|is_args|http_referer|arg_\w+|http_authorization)\b/
  /** Returns the fenced code blocks of a document. */
  const blocksOf = (path: string): string[] =>
    [...read(path).matchAll(/^```\w*\n(.*?)^```/gms)].map(([, block = '']) => block)

  test('nginx', () => {
    const text = read('deploy/nginx.conf')
    const servers = text.split(/^server \{/m).slice(1)
    expect(servers).toHaveLength(2)
    const [, format] = /^log_format heliograph (.+);$/m.exec(text) ?? []
    expect(format).toContain('$uri')
    expect(format).not.toMatch(REVEALING)
    for (const server of servers) {
      expect(server).toMatch(/^ {2}access_log \S+ heliograph;$/m)
      expect(server).toMatch(/^ {2}error_log \S+ emerg;$/m)
    }
    const own = blocksOf('docs/self-hosting.md').filter(block => block.includes('proxy_pass'))
    expect(own).toEqual([])
  })

  test('Caddy', () => {
    const documented = blocksOf('docs/self-hosting.md').filter(block => block.includes('reverse_proxy'))
    expect(documented).toHaveLength(1)
    for (const text of [read('deploy/Caddyfile'), ...documented]) {
      expect(text.match(/^\s*log\b.*/gm)).toEqual(['\tlog default {'])
      const [, pattern = '', replacement = ''] = /^\t+request>uri regexp (\S+) (\S+)$/m.exec(text) ?? []
      expect('/path?auth=token&projectId=p'.replace(new RegExp(pattern), replacement)).toBe('/path?')
      expect(text).toMatch(/^\t+request>headers>Referer delete$/m)
      // Caddy's global options, which stand first and have no name, are the only place for the error log of every site.
      expect(text.replace(/^#.*\n/gm, '')).toMatch(/^\{\n\tlog default \{/)
    }
  })
})
