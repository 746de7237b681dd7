/**
 * A v1 site and wallet over the bridge: two published clients, each in its own process and with its own breakable
 * connection.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { getBytes, hexlify, Wallet as Key, toUtf8Bytes, verifyMessage } from 'ethers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { metricsOf } from '../support/metrics.ts'
import { type Server, startServer } from '../support/server.ts'
import { isComplete } from '../support/suite.ts'
import type { Call, V1, V1State } from './client-interfaces.ts'
import { openPeer, type Peer } from './peer.ts'

const key = new Key(`0x${'46'.repeat(32)}`)
const state: V1State = { accounts: [key.address], chainId: 1 }
const words = 'Grüße an alle 👋'
const signing: Call = { method: 'personal_sign', params: [hexlify(toUtf8Bytes(words)), key.address] }

let folder: string
let port: number
let bridge: Server
let dapp: Peer<V1>
let wallet: Peer<V1>

const startBridge = async (args: readonly string[] = []): Promise<void> => {
  bridge = await startServer('bridge-server', { dataDir: join(folder, 'bridge'), port, args })
}
const open = async (name: string): Promise<Peer<V1>> => openPeer('client 1.8', { port, folder: join(folder, name) })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compat-bridge-'))
  port = await freePort()
  await startBridge()
  dapp = await open('dapp')
  wallet = await open('wallet')
})
afterEach(async () => {
  await Promise.all([dapp.dispose(), wallet.dispose()])
  expect([dapp.refused(), wallet.refused()]).toEqual([[], []])
  await bridge.stop()
  await rm(folder, { recursive: true })
})

/** Waits until this number of frames is on disk. */
const stored = (count: number) =>
  eventually(async () => {
    const metrics = await metricsOf(bridge.url)
    expect(metrics.heliograph_queue_stored, JSON.stringify(metrics)).toBe(count)
  })

/** Connects and approves, and waits until none of the exchanged frames are left on disk. */
const settle = async (): Promise<void> => {
  await wallet.acts.pair(await dapp.acts.connect())
  await wallet.next('proposal')
  await wallet.acts.approve(state)
  expect(await dapp.next('state')).toEqual(state)
  await stored(0)
}

/** Signs the next request in the wallet. */
const sign = async (): Promise<void> => {
  const { id, method, params } = await wallet.next('request')
  expect({ method, params }).toEqual(signing)
  await wallet.acts.respond({ id, result: await key.signMessage(getBytes(`${params[0]}`)) })
}

const expectSigned = async (answer: Promise<unknown>): Promise<void> => {
  expect(verifyMessage(words, `${await answer}`)).toBe(key.address)
}

const exchange = async (): Promise<void> => {
  const answer = dapp.acts.request(signing)
  await sign()
  await expectSigned(answer)
}

if (!isComplete) {
  test('they connect, sign, send, update and disconnect', async () => {
    await settle()
    await exchange()
    const transaction = { from: key.address, to: `0x${'bb'.repeat(20)}`, data: '0x', value: '0x1' }
    const hash = `0x${'cd'.repeat(32)}`
    const sending = dapp.acts.request({ method: 'eth_sendTransaction', params: [transaction] })
    const { id, method, params } = await wallet.next('request')
    expect([method, params]).toEqual(['eth_sendTransaction', [transaction]])
    await wallet.acts.respond({ id, result: hash })
    expect(await sending).toBe(hash)
    const other = { accounts: [`0x${'bb'.repeat(20)}`], chainId: 137 }
    await wallet.acts.update(other)
    expect(await dapp.next('state')).toEqual(other)
    await wallet.acts.disconnect()
    expect(await dapp.next('end')).toBeNull()
    await settle()
    await exchange()
    await dapp.acts.disconnect()
    expect(await wallet.next('end')).toBeNull()
  })

  test('a request is queued for an offline wallet, and its response for an offline dApp', async () => {
    await settle()
    wallet.cut()
    const answer = dapp.acts.request(signing)
    await stored(1)
    await wallet.mend()
    const { id, params } = await wallet.next('request')
    dapp.cut()
    await wallet.acts.respond({ id, result: await key.signMessage(getBytes(`${params[0]}`)) })
    await stored(1)
    await dapp.mend()
    await expectSigned(answer)
    await exchange()
  })

  test('a closed wallet gets each request once when it is reopened', async () => {
    await settle()
    await exchange()
    await wallet.close()
    const answer = dapp.acts.request(signing)
    await stored(1)
    await wallet.open()
    await sign()
    await expectSigned(answer)
    await wallet.close()
    await wallet.open()
    const next = dapp.acts.request({ method: 'personal_sign', params: ['0x01', key.address] })
    const { id, params } = await wallet.next('request')
    expect(params[0]).toBe('0x01')
    await wallet.acts.respond({ id, result: '0x' })
    await next
  })
}

const signal = isComplete ? 'SIGTERM' : 'SIGKILL'
test(`a queued request survives a bridge that was stopped by ${signal}`, async () => {
  await settle()
  wallet.cut()
  const answer = dapp.acts.request(signing)
  await stored(1)
  await bridge.stop(signal)
  await startBridge()
  await stored(1)
  await wallet.mend()
  await sign()
  await expectSigned(answer)
  await exchange()
})

/** Starts a local server that echoes every request body, and records bodies that are not challenges. */
const openHook = async (): Promise<{ url: string; bodies: string[]; server: HttpServer }> => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(body)
    if (!body.startsWith('{"challenge":')) bodies.push(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`, bodies, server }
}

if (isComplete) {
  test('a wallet that connects late gets the proposal', async () => {
    const uri = await dapp.acts.connect()
    await stored(1)
    await wallet.acts.pair(uri)
    await wallet.next('proposal')
    await wallet.acts.approve(state)
    expect(await dapp.next('state')).toEqual(state)
    await exchange()
  })

  test('many queued requests arrive in order', async () => {
    await settle()
    wallet.cut()
    const numbers = Array.from({ length: 20 }, (_, index) => `0x${index.toString(16).padStart(2, '0')}`)
    const answers = numbers.map(number => dapp.acts.request({ method: 'personal_sign', params: [number, key.address] }))
    await stored(20)
    await wallet.mend()
    for (const number of numbers) {
      const { id, params } = await wallet.next('request')
      expect(params[0]).toBe(number)
      await wallet.acts.respond({ id, result: number })
    }
    expect(await Promise.all(answers)).toEqual(numbers)
  })

  test("a wallet's webhook is called for a signing request, unless it is on this machine and not allowed", async () => {
    const { url, bodies, server } = await openHook()
    await settle()
    const topic = await wallet.acts.clientId()
    const register = () =>
      fetch(`${bridge.url}/subscribe`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ topic, webhook: url }),
      })
    expect((await register()).status).toBe(400)
    await bridge.stop()
    await startBridge(['--webhook-allow', '127.0.0.1'])
    expect(await (await register()).json()).toEqual({ success: true })
    await exchange()
    await eventually(() => expect(bodies).toEqual([JSON.stringify({ topic })]))
    server.close()
  })
}
