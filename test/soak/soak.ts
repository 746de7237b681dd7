/**
 * Runs a relay under steady load. It is killed at random moments, and its disk is full for a while. Accepted messages
 * must be delivered, and its memory and disk use must not grow.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from '../support/random.ts'
import { type Server, setQuota, startServer } from '../support/server.ts'
import { startTraffic } from './traffic.ts'

export type SoakOptions = {
  seconds: number
  /** Messages per second. */
  rate: number
  /** Bytes per message. */
  bytes: number
  /** Lifetime of a message, in seconds. */
  ttl: number
  kills: number
  seed: number
}

/** Bytes of the data folder, and of the process after garbage collection. */
type Sample = { at: number; disk: number; memory: number }
/** Maximum values of the first and of the last third of a run, after the first messages have expired. */
export type Growth = { early: number; late: number }

const MB = 1024 * 1024
/**
 * Time during which the disk is full. The first three values are its start and its duration as parts of the run, and
 * the maximum duration in seconds. After that, the disk stays full until a publish is refused, at the latest until the
 * part FULL_UNTIL of the run.
 */
const FULL_FROM = 0.5
const FULL_PART = 0.1
const MOST_FULL = 60
const FULL_UNTIL = 0.8
/** Bytes that still fit on the full disk. */
const LEFT = MB
/** Number of samples in a run, and the maximum seconds between two of them. */
const SAMPLES = 40
const SAMPLE_SECONDS = 15
/** Seconds after the last publish within which all messages must be delivered. */
const DRAIN = 60

/** Allowed growth from early to late values, because memory and files grow in steps. */
const FACTOR = 1.25
const SLACK = 32 * MB

/** True if the late value is within the allowed growth. */
export const isFlat = ({ early, late }: Growth): boolean => late <= early * FACTOR + SLACK

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

const growthOf = (samples: readonly Sample[], of: (sample: Sample) => number): Growth => {
  const third = Math.max(Math.floor(samples.length / 3), 1)
  const most = (some: readonly Sample[]): number => Math.max(...some.map(of))
  return { early: most(samples.slice(0, third)), late: most(samples.slice(-third)) }
}

/** Runs the soak and returns its results. Throws if the relay does not start. */
export const soak = async ({ seconds, rate, bytes, ttl, kills, seed }: SoakOptions) => {
  const random = randomFrom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-soak-'))
  const dataDir = join(folder, 'data')
  const samples: Sample[] = []
  let aborts = 0
  let port = 0
  let relay: Server | undefined

  const start = async (): Promise<void> => {
    const started = await startServer('relay-server', {
      dataDir,
      args: ['--log-level', 'error'],
      quota,
    })
    port = Number(new URL(started.url).port)
    relay = started
    started.ended.then(() => {
      if (relay === started) aborts += 1
    })
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const ended = relay
    relay = undefined
    await ended?.stop(signal)
  }
  let quota = Number.POSITIVE_INFINITY
  const limitDisk = (bytes: number): void => {
    quota = bytes
    setQuota(dataDir, bytes)
  }

  const sample = async (): Promise<void> => {
    // The relay may be killed during the measurement, and then there is no sample.
    const memory = await relay?.heldBytes().catch(() => undefined)
    if (memory !== undefined) samples.push({ at: performance.now(), disk: bytesIn(dataDir), memory })
  }

  try {
    await start()
    const startedAt = performance.now()
    const traffic = startTraffic({ port: () => port, rate, bytes, ttl, visit: (ttl * 1000) / 4 })
    const until = (part: number): Promise<void> =>
      pause(Math.max(startedAt + part * seconds * 1000 - performance.now(), 0))

    const sampling = (async () => {
      while (performance.now() < startedAt + seconds * 1000) {
        await pause(Math.min(SAMPLE_SECONDS, seconds / SAMPLES) * 1000)
        await sample()
      }
    })()
    const filling = (async () => {
      await until(FULL_FROM)
      limitDisk(bytesIn(dataDir) + LEFT)
      await pause(Math.min(FULL_PART * seconds, MOST_FULL) * 1000)
      const latest = startedAt + FULL_UNTIL * seconds * 1000
      while (traffic.report().refused === 0 && performance.now() < latest) await pause(100)
      limitDisk(Number.POSITIVE_INFINITY)
    })()
    for (let kill = 0; kill < kills; kill++) {
      await until((kill + random(1000) / 1000) / kills)
      await end('SIGKILL')
      await start()
    }
    await Promise.all([sampling, filling])
    traffic.stopWriting()
    const drainedBy = performance.now() + DRAIN * 1000
    while (traffic.missing() > 0 && performance.now() < drainedBy) await pause(100)
    const missing = traffic.missing()
    traffic.stop()
    await end('SIGTERM')
    const steady = samples.filter(({ at }) => at > startedAt + 1.2 * ttl * 1000)
    return {
      ...traffic.report(),
      missing,
      aborts,
      memory: growthOf(steady, ({ memory }) => memory),
      disk: growthOf(steady, ({ disk }) => disk),
    }
  } finally {
    await end('SIGKILL')
    limitDisk(Number.POSITIVE_INFINITY)
    rmSync(folder, { recursive: true, force: true })
  }
}
