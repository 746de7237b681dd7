/**
 * The relay with a full disk: publishers and the health check get the reason, accepted messages are kept and delivered,
 * and the relay accepts messages again without a restart once there is space. A disk that does not report its size does
 * not count as full. Tests limit the bytes of the data folder, and use disks in memory where they can create them.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const TOPIC = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
const ANN = 1
const BEN = 2
const KB = 1024
const MB = 1024 * KB
const DISK = 32 * MB
const QUOTA = 24 * MB
const NO_SPACE = 'the disk is full'

/** The relay's error while its store fails for this cause. */
const refusal = (cause: string) => ({
  code: -32002,
  message: `the store refuses writes: ${cause}`,
  data: { reason: 'storeFailing', values: { cause } },
})
const TEXT = 'x'.repeat(30 * KB)
/**
 * Messages in flight at once. Together they are smaller than the trial write of a failing store (256 KiB), so the trial
 * write fails too while they are refused.
 */
const ROUND = 8

let folder: string
let relay: Server
let ann: RelayClient
/** Cleanup functions, called in reverse order. */
let ends: (() => unknown)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disk-full-'))
  ends = [() => rmSync(folder, { recursive: true })]
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
})

const start = async (dataDir: string, quota?: number): Promise<void> => {
  relay = await startServer('relay-server', { dataDir, args: NO_REDELIVERY, ...(quota !== undefined && { quota }) })
  ends.push(() => relay.stop())
  ann = await connectRelay(relay.url, ANN)
}

const publish = (topic: string, message: string) => ann.call('relay_publish', { topic, message, ttl: 300 })

/** Publishes until the relay refuses a message. Returns the accepted messages in order, and the error. */
const fill = async (): Promise<{ accepted: string[]; error: { code: number; message: string } | undefined }> => {
  const accepted: string[] = []
  for (let round = 0; ; round++) {
    const messages = Array.from({ length: ROUND }, (_, index) => `${round * ROUND + index} ${TEXT}`)
    const answers = await Promise.all(messages.map(message => publish(TOPIC, message)))
    accepted.push(...messages.filter((_, index) => answers[index]?.result === true))
    const refused = answers.find(answer => answer.error)
    if (refused) return { accepted, error: refused.error }
  }
}

const health = async (path = '/health') => {
  const response = await fetch(`${relay.url}${path}`)
  return [response.status, await response.json()]
}

/** Creates an offline recipient of the topic. */
const comeAndGo = async (): Promise<void> => {
  const ben = await connectRelay(relay.url, BEN)
  await ben.call('relay_subscribe', { topic: TOPIC })
  await ben.close()
}

/** Receives and acknowledges all stored messages. */
const drain = async (count: number): Promise<string[]> => {
  const ben = await connectRelay(relay.url, BEN)
  await ben.call('relay_subscribe', { topic: TOPIC })
  const texts: string[] = []
  while (texts.length < count) {
    const push = await ben.push()
    texts.push(push.params.data.message)
    ben.acknowledge(push)
  }
  await ben.call('none', {})
  await ben.close()
  return texts
}

const wellAgain = () =>
  eventually(async () => {
    expect((await publish(OTHER, `again ${Math.random()}`)).result).toBe(true)
    expect(await health()).toEqual([200, { status: 'ok' }])
    expect(await health('/ready')).toEqual([200, { status: 'ready' }])
  })

const expectFailing = async (reason: string): Promise<void> => {
  for (const path of ['/health', '/ready']) expect(await health(path)).toEqual([503, { status: 'failing', reason }])
  expect(await (await fetch(`${relay.url}/metrics`)).text()).toMatch(/^heliograph_failing 1$/m)
  expect((await (await fetch(`${relay.url}/status.json`)).json()).failure).toBe(reason)
}

test('a full folder refuses publishes, delivers its messages, and accepts new ones once that has freed space', async () => {
  const dataDir = join(folder, 'data')
  await start(dataDir, QUOTA)
  await comeAndGo()
  const reason = NO_SPACE
  for (let time = 0; time < 3; time++) {
    const { accepted, error } = await fill()
    expect(accepted.length).toBeGreaterThan(ROUND)
    expect(error).toEqual(refusal(reason))
    await expectFailing(reason)
    const answer = await publish(OTHER, 'small')
    expect(answer.error).toEqual(refusal(reason))
    expect(await drain(accepted.length)).toEqual(accepted)
    await wellAgain()
  }
  const { accepted } = await fill()
  await ann.close()
  expect(await relay.stop('SIGKILL')).toBeNull()
  await start(dataDir, QUOTA)
  expect(await drain(accepted.length)).toEqual(accepted)
  await wellAgain()
  await ann.close()
})

/** Mounts a disk in memory at a folder, a small one by default. Returns false without the permission to mount. */
const mount = (path: string, type: 'tmpfs' | 'ramfs' = 'tmpfs', size = `${DISK}`): boolean => {
  mkdirSync(path, { recursive: true })
  return spawnSync('mount', ['-t', type, '-o', `size=${size}`, type, path]).status === 0
}
const unmount = (path: string): void => {
  spawnSync('umount', [path])
}

const canMount = (): boolean => {
  const path = mkdtempSync(join(tmpdir(), 'disk-'))
  const isMounted = mount(path)
  if (isMounted) unmount(path)
  rmSync(path, { recursive: true })
  return isMounted
}

const onDiskOfItsOwn = () => {
  let disk: string
  beforeEach(() => {
    disk = join(folder, 'disk')
    mount(disk)
    ends.push(() => unmount(disk))
  })

  /** Fills the disk until this number of bytes is free. */
  const occupy = (left: number): string => {
    const { bavail, bsize } = statfsSync(disk)
    const path = join(disk, 'something else')
    writeFileSync(path, Buffer.alloc(bavail * bsize - left, 1))
    return path
  }

  test('a full disk is reported to publishers and by the health check, and freed space is used', async () => {
    await start(join(disk, 'data'))
    await comeAndGo()
    const other = occupy(16 * MB)
    const { accepted, error } = await fill()
    expect(accepted.length).toBeGreaterThan(ROUND)
    expect(error).toEqual(refusal(NO_SPACE))
    await expectFailing(NO_SPACE)
    rmSync(other)
    await wellAgain()
    expect(await drain(accepted.length)).toEqual(accepted)
    await ann.close()
  })

  test('a relay with messages starts on a full disk; a relay without messages reports the reason', async () => {
    await start(join(disk, 'data'))
    await comeAndGo()
    await publish(TOPIC, 'kept')
    await ann.close()
    await relay.stop()
    occupy(0)
    await start(join(disk, 'data'))
    expect(await drain(1)).toEqual(['kept'])
    await ann.close()
    await expect(startServer('relay-server', { dataDir: join(disk, 'new') })).rejects.toThrow(
      `the data folder ${join(disk, 'new')} cannot be used: ${NO_SPACE}`,
    )
  })
}

const onDiskWithoutSize = () => {
  const mountHere = (type: 'tmpfs' | 'ramfs', size?: string): string => {
    const disk = join(folder, 'disk')
    mount(disk, type, size)
    ends.push(() => unmount(disk))
    return disk
  }

  test.each(['tmpfs', 'ramfs'] as const)('a %s that reports 0 blocks is not full', async type => {
    const disk = mountHere(type, '0')
    expect(statfsSync(disk)).toMatchObject({ blocks: 0, bavail: 0 })
    const checked = await runCommand('relay-server', ['--check-config', '--data-dir', join(disk, 'data')])
    expect(checked).toEqual({ status: 0, lines: ['the configuration is valid'] })
    await start(join(disk, 'data'))
    await comeAndGo()
    for (const message of ['one', TEXT]) expect((await publish(TOPIC, message)).result).toBe(true)
    expect(await health()).toEqual([200, { status: 'ok' }])
    await ann.close()
    await relay.stop('SIGKILL')
    await start(join(disk, 'data'))
    expect(await drain(2)).toEqual(['one', TEXT])
    expect((await (await fetch(`${relay.url}/status.json`)).json()).server).not.toHaveProperty('freeBytes')
    expect(await (await fetch(`${relay.url}/metrics`)).text()).not.toMatch(/^heliograph_disk_free_bytes /m)
    await ann.close()
  })

  test('a bridge starts on such a disk', async () => {
    const bridge = await startServer('bridge-server', { dataDir: join(mountHere('ramfs'), 'data') })
    ends.push(() => bridge.stop())
    expect(await (await fetch(`${bridge.url}/health`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${bridge.url}/status.json`)).json()).not.toHaveProperty('freeBytes')
  })

  test('a full tmpfs of 64 kB is reported as full', async () => {
    const disk = mountHere('tmpfs', '64k')
    writeFileSync(join(disk, 'something else'), Buffer.alloc(64 * KB, 1))
    await expect(startServer('relay-server', { dataDir: join(disk, 'data') })).rejects.toThrow(NO_SPACE)
  })
}

if (canMount()) {
  describe('on a separate disk', onDiskOfItsOwn)
  describe('on a disk without a size', onDiskWithoutSize)
}
