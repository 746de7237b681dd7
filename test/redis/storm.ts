/**
 * Runs relays on one Redis server while any of them, or Redis, is killed at random moments. Writers repeat a publish
 * until they get a response, readers acknowledge, and both reconnect to any relay. Counts what must not happen.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '../support/random.ts'
import { startRedis } from '../support/redis.ts'
import { type Answer, connectRelay, type RelayClient } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'

export type StormOptions = {
  seed: number
  relays: number
  topics: number
  /** Number of publishes per topic. */
  publishes: number
  relayKills: number
  redisKills: number
}

export type StormFigures = {
  published: number
  lost: number
  outOfOrder: number
  /**
   * Deliveries after an acknowledgement that the reader knew to be stored. If a publish is repeated after its message
   * was acknowledged, it counts as a new message.
   */
  afterAcknowledgement: number
  repeatedDeliveries: number
  relayKills: number
  redisKills: number
  seconds: number
}

/** Number of acknowledgements after which a reader makes sure that they are stored. */
const SURE = 10
const RETRY = 50
/** Milliseconds after the last publish within which all messages must arrive. */
const PATIENCE = 180_000
const READER_SEEDS = 100
/** Number of hexadecimal digits of a v2 topic. */
const TOPIC_DIGITS = 64

type World = { servers: (Server | undefined)[]; random: Random; isOver: boolean }

/**
 * Connects to one of the running relays, retrying until it succeeds. Resolves with undefined once the storm is over.
 */
const connectAny = async (world: World, seed: number): Promise<RelayClient | undefined> => {
  while (!world.isOver) {
    const up = world.servers.filter(server => server !== undefined)
    const server = up[world.random(up.length)]
    try {
      if (server) return await connectRelay(server.url, seed)
    } catch {
      // The relay was killed meanwhile, so another attempt follows.
    }
    await pause(RETRY)
  }
  return undefined
}

/** Returns the response, or undefined if the connection closed before it arrived. */
const callOf = (client: RelayClient, method: string, params: unknown): Promise<Answer | undefined> =>
  Promise.race([client.call(method, params), client.closed.then(() => undefined)])

const write = async (world: World, seed: number, topic: string, publishes: number): Promise<void> => {
  let client = await connectAny(world, seed)
  for (let number = 0; client && number < publishes; ) {
    const answer = await callOf(client, 'irn_publish', { topic, message: `${number}`, ttl: 3600, tag: 0 })
    if (answer?.result === true) number += 1
    else if (answer) await pause(RETRY)
    else client = await connectAny(world, seed)
  }
  void client?.close()
}

/** A reader's results. `sure` has messages with a certainly stored acknowledgement, by number and publishing time. */
type Reading = { got: number[]; sure: Set<string>; afterAcknowledgement: number }

/** Reads a topic on one connection until that connection closes. */
const readOnce = async (world: World, client: RelayClient, topic: string, reading: Reading): Promise<void> => {
  const acknowledged: string[] = []
  const makeSure = async (): Promise<void> => {
    const before = [...acknowledged]
    const answer = await callOf(client, 'relay_publish', {
      topic: `sure of ${topic}`,
      message: `${before.length}`,
      ttl: 60,
    })
    if (answer?.result === true) for (const message of before) reading.sure.add(message)
  }
  const subscribed = await callOf(client, 'irn_subscribe', { topic })
  if (!subscribed?.result) return pause(RETRY)
  while (!world.isOver) {
    const push = await Promise.race([client.push(), client.closed])
    if (typeof push === 'number') return
    const { message, publishedAt } = push.params.data
    const name = `${message} ${publishedAt}`
    if (reading.sure.has(name)) reading.afterAcknowledgement += 1
    reading.got.push(Number(message))
    client.acknowledge(push)
    if (acknowledged.push(name) % SURE === 0) void makeSure()
  }
}

const read = async (world: World, seed: number, topic: string, reading: Reading): Promise<void> => {
  while (!world.isOver) {
    const client = await connectAny(world, seed)
    if (!client) return
    await readOnce(world, client, topic, reading)
    void client.close()
  }
}

const outOfOrder = (got: readonly number[]): number => {
  const first = [...new Set(got)]
  return first.filter((number, index) => index > 0 && number < (first[index - 1] ?? 0)).length
}

/** Runs the storm. Returns the figures. Rejects if a relay does not start. */
export const runStorm = async (options: StormOptions): Promise<StormFigures> => {
  const { seed, relays, topics, publishes, relayKills, redisKills } = options
  const redis = await startRedis(['--appendfsync', 'always'])
  const folders = await Promise.all(Array.from({ length: relays }, () => mkdtemp(join(tmpdir(), 'storm-'))))
  const start = (dataDir: string) => startServer('relay-server', { dataDir, args: ['--redis-url', redis.url] })
  const world: World = { servers: await Promise.all(folders.map(start)), random: randomFrom(seed), isOver: false }
  const readings = Array.from(
    { length: topics },
    (): Reading => ({ got: [], sure: new Set(), afterAcknowledgement: 0 }),
  )
  const startedAt = performance.now()

  const killRelay = async (): Promise<void> => {
    const index = world.random(relays)
    const server = world.servers[index]
    world.servers[index] = undefined
    await server?.stop('SIGKILL')
    world.servers[index] = await start(folders[index] ?? '')
  }
  const killRedis = async (): Promise<void> => {
    await redis.kill()
    await redis.restart()
  }
  /** Kills in random order, each after its share of the messages was delivered. */
  const harm = async (): Promise<void> => {
    const kinds = [...Array(relayKills).fill(killRelay), ...Array(redisKills).fill(killRedis)]
    const total = topics * publishes
    for (let done = 1; kinds.length > 0; done++) {
      const due = (total * done) / (relayKills + redisKills + 1)
      while (readings.reduce((sum, { got }) => sum + got.length, 0) < due) await pause(RETRY)
      await kinds.splice(world.random(kinds.length), 1)[0]()
    }
  }

  const names = readings.map((_, index) => index.toString(16).padStart(TOPIC_DIGITS, '0'))
  const reading = readings.map((one, index) => read(world, READER_SEEDS + index, names[index] ?? '', one))
  // Each reader subscribes before its writer starts.
  for (const [index, topic] of names.entries()) {
    const client = await connectAny(world, READER_SEEDS + index)
    await client?.call('irn_subscribe', { topic })
    await client?.close()
  }
  await Promise.all([harm(), ...names.map((topic, index) => write(world, 1 + index, topic, publishes))])
  const isComplete = () => readings.every(({ got }) => new Set(got).size === publishes)
  const patience = performance.now() + PATIENCE
  while (!isComplete() && performance.now() < patience) await pause(RETRY)
  const seconds = (performance.now() - startedAt) / 1000

  world.isOver = true
  await Promise.all(world.servers.map(server => server?.stop('SIGKILL')))
  await Promise.all(reading)
  await redis.stop()
  await Promise.all(folders.map(folder => rm(folder, { recursive: true })))
  const sum = (of: (one: Reading) => number): number => readings.reduce((total, one) => total + of(one), 0)
  return {
    published: topics * publishes,
    lost: sum(({ got }) => publishes - new Set(got).size),
    outOfOrder: sum(({ got }) => outOfOrder(got)),
    afterAcknowledgement: sum(({ afterAcknowledgement }) => afterAcknowledgement),
    repeatedDeliveries: sum(({ got }) => got.length - new Set(got).size),
    relayKills,
    redisKills,
    seconds: Math.round(seconds),
  }
}
