/** Tokens of other libraries, and other spellings of the relay's URL, at the socket of a running relay. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@heliograph/shared/server/process/config'
import { encodeDidKey } from '@heliograph/shared/wire/did-key'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { relayRows } from '../../relay-server/src/config.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import { socketUrl } from '../support/relay-client.ts'

const RELAY = 'wss://relay.example.org'
const REFUSED = 3000
const key = new Uint8Array(32).fill(1)
const iss = encodeDidKey(ed25519.getPublicKey(key))
const now = Math.floor(Date.now() / 1000)
const usual = { alg: 'EdDSA', typ: 'JWT' }

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const tokenWith = (header: object, claims: object = {}): string => {
  const all = { iss, sub: 'ab'.repeat(32), aud: RELAY, iat: now, exp: now + 3600, ...claims }
  const signed = `${part(header)}.${part(all)}`
  return `${signed}.${Buffer.from(ed25519.sign(Buffer.from(signed), key)).toString('base64url')}`
}

let folder: string
let url: string
let stop: () => Promise<void>
/** Starts a relay with its own public URLs, spelled as an operator may write them. */
const start = async (publicUrls: string) => {
  const args = ['--public-urls', publicUrls, '--port', '0', '--log-level', 'silent', '--data-dir', join(folder, 'data')]
  return startRelay(readConfig('RELAY', relayRows, { args, env: {} }))
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-tokens-'))
  ;({ url, stop } = await start('wss://Relay.Example.org:443/'))
})
afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true })
})

/** Opens a socket. Resolves with `open`, or with the code with which the relay closes it. */
const enter = async (auth: string): Promise<string | number> => {
  const socket = new WebSocket(socketUrl(url, { auth, useOnCloseEvent: 'true' }))
  const closed = once(socket, 'close').then(([code]) => code)
  await once(socket, 'open')
  const id = 1
  socket.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscribe', params: { topic: 'ab'.repeat(32) } }))
  const answered = once(socket, 'message').then(() => 'open')
  const result = await Promise.race([answered, closed])
  socket.close()
  await closed
  return result
}

test.each<[name: string, header: object, claims?: object]>([
  ['no typ', { alg: 'EdDSA' }],
  ['typ jwt', { alg: 'EdDSA', typ: 'jwt' }],
  ['an extra kid', { ...usual, kid: 'key-1' }],
  ['fractions in iat and exp', usual, { iat: now - 0.5, exp: now + 3600.25 }],
  ['an aud list', usual, { aud: [RELAY] }],
  ['the default port in aud', usual, { aud: `${RELAY}:443` }],
  ['a slash after aud', usual, { aud: `${RELAY}/` }],
  ['a host in upper case', usual, { aud: 'wss://RELAY.example.org' }],
])('a client whose token has %s is accepted', async (_, header, claims) => {
  expect(await enter(tokenWith(header, claims))).toBe('open')
})

test.each<[name: string, header: object, claims?: object]>([
  ['crit', { ...usual, crit: ['b64'] }],
  ['alg none', { alg: 'none' }],
  ['another relay in an aud list', usual, { aud: ['wss://relay.example.com'] }],
  ['another host in aud', usual, { aud: 'wss://relay.example.com' }],
  ['another port in aud', usual, { aud: `${RELAY}:8443` }],
])('a client whose token has %s is refused', async (_, header, claims) => {
  expect(await enter(tokenWith(header, claims))).toBe(REFUSED)
})

test('a token with alg none and no signature is refused', async () => {
  expect(await enter(`${part({ alg: 'none' })}.${tokenWith(usual).split('.')[1]}.`)).toBe(REFUSED)
})

test.each(['relay.example.org', 'https://relay.example.org', '//relay.example.org'])(
  'a relay whose public URL is %s does not start',
  async publicUrls => {
    await expect(start(publicUrls)).rejects.toThrow('such as wss://relay.example.org')
  },
)
