/**
 * Writes the data folders of a relay and of a bridge that the tests beside this file open: `.runtime/node --import tsx
 * test/updates/write.ts`. Run it for each release. It creates a folder named after the version; keep the earlier
 * folders.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRange } from '@heliograph/shared/server/limits/addresses'
import { encodeDidKey } from '@heliograph/shared/wire/did-key'
import { encodeJwt } from '@heliograph/shared/wire/relay-auth'
import { ed25519 } from '@noble/curves/ed25519.js'
import { startBridge } from '../../bridge-server/src/server.ts'
import { startRelay } from '../../relay-server/src/server.ts'
import { connectBridge } from '../support/bridge-client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { root } from '../support/root.ts'
import { ANN, BEN, CID, DAN, TOPICS, texts } from './contents.ts'

/** Milliseconds by which the folders' clock is ahead, so that nothing in them expires before 2100. */
const YEARS_LATER = 80 * 365 * 86_400_000
const now = Date.now
Date.now = () => now() + YEARS_LATER

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = join(root, 'test/updates', version)
const settings = { port: 0, logLevel: 'silent' as const, webhookAllow: [parseRange('127.0.0.1')] }
const AUDIENCE = 'wss://relay.example'
const MONTH = 30 * 86_400

const register = async (url: string, topic: string, receiver: Receiver): Promise<void> => {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ topic, webhook: `${receiver.url}hook` })
  const { status } = await fetch(`${url}/subscribe`, { method: 'POST', headers, body })
  if (status !== 200) throw new Error(`the webhook was refused with ${status}`)
}

const watch = async (client: RelayClient, seed: number, receiver: Receiver): Promise<void> => {
  const key = new Uint8Array(32).fill(seed)
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    ...{ act: 'irn_watchRegister', typ: 'publisher', iss: encodeDidKey(ed25519.getPublicKey(key)), aud: AUDIENCE },
    ...{ sub: 'https://push.example', whu: `${receiver.url}watch`, iat, exp: iat + MONTH, tag: [7], sts: ['accepted'] },
  }
  await demand(
    client.call('irn_watchRegister', { registerAuth: encodeJwt(claims, signed => ed25519.sign(signed, key)) }),
  )
}

const demand = async (answer: ReturnType<RelayClient['call']>): Promise<void> => {
  const { error } = await answer
  if (error) throw new Error(error.message)
}

const writeRelay = async (): Promise<void> => {
  const receiver = await startReceiver()
  const relay = await startRelay({ ...settings, dataDir: join(folder, 'relay'), publicUrls: [AUDIENCE] })
  const [ann, ben, cid, dan] = await Promise.all(
    [ANN, BEN, CID, DAN].map(seed => connectRelay(relay.url, seed, AUDIENCE)),
  )
  if (!ann || !ben || !cid || !dan) throw new Error('no client')
  await register(relay.url, TOPICS.both, receiver)
  await watch(ann, ANN, receiver)
  await receiver.close()

  const publish = (topic: string, message: string, more = {}) =>
    demand(ann.call('irn_publish', { topic, message, ttl: MONTH, tag: 7, ...more }))
  for (const client of [ben, cid]) await demand(client.call('irn_subscribe', { topic: TOPICS.both }))
  await demand(cid.call('irn_subscribe', { topic: TOPICS.one }))
  await demand(dan.call('irn_subscribe', { topic: TOPICS.left }))
  const { result } = await dan.call('irn_subscribe', { topic: TOPICS.left })
  await demand(dan.call('irn_unsubscribe', { topic: TOPICS.left, id: result }))

  await publish(TOPICS.both, texts.both[0] ?? '')
  ben.acknowledge(await ben.push())
  await cid.push()
  await publish(TOPICS.one, 'received')
  cid.acknowledge(await cid.push())
  // A later response to a client proves that its earlier acknowledgements are durable.
  for (const client of [ben, cid]) {
    await demand(client.call('irn_publish', { topic: TOPICS.left, message: 'brief', ttl: 1, tag: 7 }))
    await client.close()
  }
  await publish(TOPICS.both, texts.both[1] ?? '', { attestation: 'proof' })
  const messages = texts.both.slice(2).map(message => ({ topic: TOPICS.both, message, ttl: MONTH }))
  await demand(ann.call('relay_batchPublish', { messages }))
  for (const text of texts.one) await publish(TOPICS.one, text)
  for (const text of texts.claimed) await publish(TOPICS.claimed, text)
  const back = await connectRelay(relay.url, BEN, AUDIENCE)
  await demand(back.call('irn_subscribe', { topic: TOPICS.claimed }))
  await back.close()
  for (const text of texts.open) await publish(TOPICS.open, text)
  await Promise.all([ann.close(), dan.close()])
  await relay.stop()
}

const writeBridge = async (): Promise<void> => {
  const receiver = await startReceiver()
  const bridge = await startBridge({ ...settings, dataDir: join(folder, 'bridge') })
  await register(bridge.url, TOPICS.both, receiver)
  await receiver.close()
  const [ann, ben] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
  ben.sub(TOPICS.both)
  await ben.rest()
  ann.pub(TOPICS.both, 'received')
  await ben.payloads(1)
  await ben.rest()
  await ben.close()
  for (const text of texts.both) ann.pub(TOPICS.both, text, { silent: false })
  for (const text of texts.one) ann.pub(TOPICS.one, text)
  await ann.rest()
  await ann.close()
  await bridge.stop()
}

mkdirSync(folder)
await writeRelay()
await writeBridge()
