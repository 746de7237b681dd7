/** The signing key that all servers on one Redis server share, which Redis may lose. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedis } from '@heliograph/shared/server/redis/open'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { KEY_FILE, openSharedSigningKey, openSigningKey } from '@heliograph/shared/server/webhooks/signing-key'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type RedisServer, startRedis } from '../support/redis.ts'

const KEY = 'relay:{tables}:signing-key'
const folders: string[] = []
let server: RedisServer
let redis: Redis

beforeAll(async () => {
  server = await startRedis()
  redis = await openRedis([server.url], { durability: 'process' })
})
afterAll(async () => {
  await redis.close()
  await server.stop()
})
beforeEach(() => server.command('FLUSHALL'))
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const folderOf = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signing-key-'))
  folders.push(folder)
  return folder
}
const open = () => openSharedSigningKey(redis, 'relay', folderOf())

test('a lost key is stored again, and a server that started meanwhile adopts it', async () => {
  const first = await open()
  const { did, publicKey } = first
  await server.command('FLUSHALL')
  const late = await open()
  expect(late.did).not.toBe(did)
  await late.hold()
  await first.hold()
  await late.hold()
  expect([first.did, late.did, late.publicKey, (await open()).did]).toEqual([did, did, publicKey, did])
  expect(late.sign(Buffer.from('text'))).toEqual(first.sign(Buffer.from('text')))
})

test('a server that starts beside another adopts its key, although it created its own key earlier', async () => {
  const first = await open()
  const { did } = first
  const earlier = Date.now() - 1000
  vi.spyOn(Date, 'now').mockReturnValue(earlier)
  const second = await open()
  vi.restoreAllMocks()
  await first.hold()
  expect([first.did, second.did, (await open()).did]).toEqual([did, did, did])
})

test('a key that an earlier version stored stays in use, even after Redis lost it', async () => {
  const folder = folderOf()
  const { did } = openSigningKey(folder)
  await server.command('SET', KEY, readFileSync(join(folder, KEY_FILE), 'utf8'))
  const first = await open()
  expect(first.did).toBe(did)
  await server.command('FLUSHALL')
  const late = await open()
  await first.hold()
  await late.hold()
  expect([first.did, late.did]).toEqual([did, did])
})

test('holding the key succeeds while the memory of Redis is full, so that the later steps of a renewal are done', async () => {
  const first = await open()
  await server.command('CONFIG', 'SET', 'maxmemory', '1')
  await first.hold()
  await server.command('FLUSHALL')
  await first.hold()
  await server.command('CONFIG', 'SET', 'maxmemory', '0')
  expect((await open()).did).toBe(first.did)
})
