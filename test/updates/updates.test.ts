/**
 * Data folders of released versions, which the current servers open completely, and folders of a later version, which
 * they refuse.
 */
import { createPublicKey } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILE_HEAD_BYTES, fileHead } from '@heliograph/shared/server/storage/segment-files'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { runCommand } from '../support/command.ts'
import { metricsOf } from '../support/metrics.ts'
import { connectRelay } from '../support/relay-client.ts'
import { root } from '../support/root.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'
import { BEN, CID, DAN, TOPICS, texts } from './contents.ts'

const FOLDERS = join(root, 'test/updates')
const VERSIONS = readdirSync(FOLDERS).filter(name => /^\d+\.\d+\.\d+$/.test(name))
const KINDS = ['relay', 'bridge'] as const
/** A format version that the current servers do not know. */
const LATER = 1000

let base: string
let folder: string
let server: Server | undefined
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'updates-'))
  folder = join(base, 'data')
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  rmSync(base, { recursive: true })
})

const take = (version: string, kind: (typeof KINDS)[number]): void =>
  cpSync(join(FOLDERS, version, kind), folder, { recursive: true })
const start = async (kind: (typeof KINDS)[number]): Promise<Server> => {
  server = await startServer(`${kind}-server`, { dataDir: folder, args: kind === 'relay' ? NO_REDELIVERY : [] })
  return server
}
/** Returns the number of webhook calls, queued or blocked. No call can be made, because the addresses are private. */
const callsIn = (metrics: Record<string, number>): number =>
  (metrics.heliograph_webhook_calls ?? 0) + (metrics['heliograph_webhook_calls_total{outcome="blocked"}'] ?? 0)
const publicKeyOf = async ({ url }: Server): Promise<unknown> => (await fetch(`${url}/public-key`)).json()
const contentsOf = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter(name => !name.startsWith('in-use-'))
      .map(name => [name, readFileSync(join(folder, name)).toString('base64')]),
  )

test('there is a folder of each kind for each version', () => {
  expect(VERSIONS).toContain('0.1.0')
  for (const version of VERSIONS) expect(readdirSync(join(FOLDERS, version)).toSorted()).toEqual(['bridge', 'relay'])
})

describe.each(VERSIONS)('of version %s', version => {
  test('a relay has all messages, subscriptions, webhooks, calls and watches, and the key', async () => {
    take(version, 'relay')
    const { x = '' } = createPublicKey(readFileSync(join(folder, 'signing-key.pem'), 'utf8')).export({ format: 'jwk' })
    const key = Buffer.from(x, 'base64url').toString('hex')
    expect((await runCommand('relay-server', ['--check', folder])).status).toBe(0)
    const relay = await start('relay')
    const metrics = await metricsOf(relay.url)
    expect(metrics).toMatchObject({
      heliograph_storage_damaged_places: 0,
      heliograph_mailbox_messages: 10,
      heliograph_mailbox_subscriptions: 4,
      heliograph_webhook_topics: 1,
      heliograph_watches: 1,
    })
    expect(callsIn(metrics)).toBe(8)
    expect(await publicKeyOf(relay)).toMatchObject({ publicKey: key })

    const waits = async (seed: number, topic: string, count: number): Promise<string[]> => {
      const client = await connectRelay(relay.url, seed)
      await client.call('relay_subscribe', { topic })
      const found: string[] = []
      while (found.length < count) found.push((await client.push()).params.data.message)
      found.push(...(await client.rest()).map(({ params }) => params.data.message))
      await client.close()
      return found
    }
    expect(await waits(BEN, TOPICS.both, 3)).toEqual(texts.both.slice(1))
    expect(await waits(CID, TOPICS.both, 4)).toEqual(texts.both)
    expect(await waits(CID, TOPICS.one, 2)).toEqual(texts.one)
    expect(await waits(DAN, TOPICS.claimed, 0)).toEqual([])
    expect(await waits(BEN, TOPICS.claimed, 1)).toEqual(texts.claimed)
    expect(await waits(DAN, TOPICS.open, 1)).toEqual(texts.open)
  })

  test('a bridge has all frames, webhooks and calls', async () => {
    take(version, 'bridge')
    const bridge = await start('bridge')
    const metrics = await metricsOf(bridge.url)
    expect(metrics).toMatchObject({ heliograph_storage_damaged_places: 0, heliograph_webhook_topics: 1 })
    expect(callsIn(metrics)).toBe(1)
    const client = await connectBridge(bridge.url)
    client.sub(TOPICS.both)
    expect(await client.payloads(texts.both.length)).toEqual(texts.both)
    client.sub(TOPICS.one)
    expect(await client.payloads(texts.one.length)).toEqual(texts.one)
    expect(await client.rest()).toEqual([])
    await client.close()
  })
})

describe.each(KINDS)('a folder of a later version of the %s', kind => {
  /**
   * Gives the newest file another format, as after an update, and damages an earlier file. Returns the newest file's
   * path.
   */
  const age = (): string => {
    take('0.1.0', kind)
    const path = join(folder, 'tables-000001.log')
    const bytes = readFileSync(path)
    bytes[FILE_HEAD_BYTES + 20] = (bytes[FILE_HEAD_BYTES + 20] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const newest = join(folder, 'tables-000002.log')
    writeFileSync(newest, fileHead(2, bytes.length, LATER))
    return newest
  }

  test('is refused with the reason, and no command changes it', async () => {
    const newest = age()
    const before = contentsOf()
    const reason = `${newest} has format ${LATER} and this version reads format 1: start the version that wrote it, or use another data folder`
    await expect(start(kind)).rejects.toThrow(`the data folder ${folder} cannot be used: ${reason}`)
    for (const command of ['--check', '--repair'])
      expect(await runCommand(`${kind}-server`, [command, folder])).toEqual({ status: 2, lines: [reason] })
    const target = join(base, 'backup')
    expect(await runCommand(`${kind}-server`, ['--backup', target, '--data-dir', folder])).toEqual({
      status: 1,
      lines: [`the backup of ${folder} in ${target} failed: ${reason}`],
    })
    expect(readdirSync(base)).toEqual(['data'])
    expect(contentsOf()).toEqual(before)
  })
})
