/**
 * Redis users with few rights: missing rights are listed before the start, and the rights that the documents list
 * suffice.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { runCommand } from '../support/command.ts'
import { startReceiver } from '../support/receiver.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { connectRelay } from '../support/relay-client.ts'
import { root } from '../support/root.ts'
import { type Server, startServer } from '../support/server.ts'

const USER = 'heliograph'
const PASSWORD = 'open-sesame'
const ALL = ['~*', '&*', '+@all']
const ENDS: (() => Promise<unknown>)[] = []

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
afterEach(async () => {
  for (const end of ENDS.splice(0).toReversed()) await end()
})

/** Returns the URL of a user with only these rights. */
const urlOf = async (rights: readonly string[]): Promise<string> => {
  await redis.command('ACL', 'SETUSER', USER, 'reset', 'on', `>${PASSWORD}`, ...rights)
  return redis.url.replace('://', `://${USER}:${PASSWORD}@`)
}

const folderOf = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'rights-'))
  ENDS.push(() => rm(folder, { recursive: true }))
  return folder
}

const check = async (
  name: 'relay-server' | 'bridge-server',
  rights: readonly string[],
  args: readonly string[] = [],
) => {
  const flags = ['--redis-url', await urlOf(rights), '--data-dir', await folderOf()]
  const { status, lines } = await runCommand(name, ['--check-config', ...flags, ...args])
  expect(lines.join('\n')).not.toContain(PASSWORD)
  return { status, line: lines.at(-1) }
}

describe('--check-config', () => {
  test.each([
    ['relay-server', ['-fcall'], 'fcall'],
    ['relay-server', ['-function'], 'function|load'],
    ['relay-server', ['-eval'], 'eval'],
    ['relay-server', ['-ssubscribe', '-spublish'], 'ssubscribe, spublish'],
    ['relay-server', ['-sadd', '-fcall', '-zrangebylex'], 'fcall, sadd, zrangebylex'],
    ['bridge-server', ['-xadd', '-time'], 'xadd, time'],
    ['relay-server', ['resetkeys', '~bridge:*'], 'keys that start with relay:'],
    ['bridge-server', ['resetchannels', '&relay:*'], 'channels that start with bridge:'],
  ] as const)('of %s lists the rights that a user with %j lacks', async (name, rights, missing) => {
    const { status, line } = await check(name, [...ALL, ...rights])
    expect([status, line]).toEqual([1, expect.stringMatching(/: the Redis user lacks rights: /)])
    expect(line?.split('rights: ')[1]).toBe(missing)
  })

  test.each(['ping', 'role', 'info'])('names Redis and %s, which the other checks need', async command => {
    const { status, line } = await check('relay-server', [...ALL, `-${command}`])
    expect([status, line]).toEqual([1, expect.stringMatching(new RegExp(`Redis.*${command}`))])
  })

  test('names the right that waiting for replicas needs', async () => {
    const rights = [...ALL, '-wait', 'resetkeys', '~relay:*']
    const { line } = await check('relay-server', rights, ['--redis-replicas', '1'])
    expect(line).toMatch(/rights: wait, keys that start with fence:$/)
    expect((await check('relay-server', rights)).status).toBe(0)
  })

  test.each([
    ['relay-server', ['-xadd', '-xrange']],
    ['bridge-server', ['-sadd', '-smembers']],
    ['relay-server', ['-@dangerous', '+info', '+role']],
  ] as const)('of %s accepts a user with %j', async (name, rights) => {
    expect(await check(name, [...ALL, ...rights])).toEqual({ status: 0, line: 'the configuration is valid' })
  })
})

test('a start lists the same rights, and stores nothing', async () => {
  await redis.command('FLUSHALL')
  const args = ['--redis-url', await urlOf([...ALL, '-fcall', '-hset'])]
  await expect(startServer('relay-server', { dataDir: await folderOf(), args })).rejects.toThrow(
    'lacks rights: fcall, hset',
  )
  expect(await redis.command('DBSIZE')).toBe(0)
})

describe('a user with the rights in docs/scaling.md', () => {
  const documented = async (): Promise<string[]> => {
    const text = await readFile(join(root, 'docs/scaling.md'), 'utf8')
    const [, rights = ''] = /^ACL SETUSER heliograph on '>password' (.+)$/m.exec(text) ?? []
    return rights.replaceAll("'", '').split(' ')
  }
  const serverOn = async (name: 'relay-server' | 'bridge-server'): Promise<Server> => {
    const rights = await documented()
    expect(rights).not.toContain('+@all')
    expect((await check(name, rights, ['--redis-replicas', '1'])).status).toBe(0)
    const webhooks = ['--webhook-allow', '127.0.0.1', '--webhook-registration', 'open']
    const args = ['--redis-url', await urlOf(rights), ...webhooks]
    const server = await startServer(name, { dataDir: await folderOf(), args })
    ENDS.push(() => server.stop())
    return server
  }

  test('suffices for a relay: messages, acknowledgements, webhooks, unsubscriptions and a clean stop', async () => {
    const relay = await serverOn('relay-server')
    const receiver = await startReceiver()
    const [ann, ben, nameless] = [
      await connectRelay(relay.url, 1),
      await connectRelay(relay.url, 2),
      await connectRelay(relay.url),
    ]
    ENDS.push(receiver.close, ann.close, ben.close, nameless.close)
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ topic: 't', webhook: receiver.url })
    expect((await fetch(`${relay.url}/subscribe`, { method: 'POST', headers, body })).status).toBe(200)
    const { result: id } = await ben.call('relay_subscribe', { topic: 't' })
    await nameless.call('relay_subscribe', { topic: 't' })
    expect((await ann.call('relay_publish', { topic: 't', message: 'm', ttl: 300 })).result).toBe(true)
    for (const client of [ben, nameless]) {
      const push = await client.push()
      client.acknowledge(push)
      expect(push.params.data.message).toBe('m')
    }
    expect(JSON.parse((await receiver.next()).body)).toMatchObject({ topic: 't' })
    expect((await ben.call('relay_unsubscribe', { topic: 't', id })).result).toBe(true)
    for (const client of [ann, ben, nameless]) await client.close()
    expect(relay.said()).not.toContain('NOPERM')
  })

  test('suffices for a bridge', async () => {
    const bridge = await serverOn('bridge-server')
    const [reader, writer] = [await connectBridge(bridge.url), await connectBridge(bridge.url)]
    ENDS.push(reader.close, writer.close)
    reader.sub('t')
    writer.pub('t', 'now')
    expect(await reader.payloads(1)).toEqual(['now'])
    writer.pub('later', 'then')
    await writer.rest()
    reader.sub('later')
    expect(await reader.payloads(1)).toEqual(['then'])
    await reader.rest()
    expect(bridge.said()).not.toContain('NOPERM')
  })
})
