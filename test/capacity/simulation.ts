/**
 * Simulates relays and Redis primaries as queues: each has a processor that does its work in order of arrival. Messages
 * arrive at random (a Poisson process) on random relays, for readers on random relays, on topics of random shards.
 */
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { Random } from '../support/random.ts'
import { createEvents } from './events.ts'

/** Processor time of one message in seconds, by operation. */
export type MessageCosts = {
  relay: { publish: number; read: number; deliver: number; acknowledge: number }
  primary: { append: number; read: number; acknowledge: number }
}

export type SimulationOptions = {
  random: Random
  /** The processor of each relay and of each primary. Several of them can share one. */
  relays: readonly Processor[]
  primaries: readonly Processor[]
  /** Messages per second. */
  rate: number
  seconds: number
  costs: MessageCosts
  /** Network latency between a relay and Redis, in seconds. */
  network: number
}

/** Times in seconds. The utilizations belong to the busiest processor of a relay and of a primary. */
export type SimulationResult = {
  answer: { p50: number; p99: number }
  delivery: { p50: number; p99: number }
  utilization: { relay: number; primary: number }
}

/** A processor. `load` is the part of its time that other work takes. */
export type Processor = { readonly load: number; freeAt: number; busy: number }

export const processors = (count: number, load = 0): Processor[] =>
  Array.from({ length: count }, () => ({ load, freeAt: 0, busy: 0 }))

/**
 * The steps of a message after its arrival. The third step is both the response to the publisher and the notification
 * of the reader's relay.
 */
type Step = { message: Message; step: number }
type Message = { at: number; writer: Processor; reader: Processor; primary: Processor }

const RESOLUTION = 1e9

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

const summaryOf = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) })

export const simulate = (options: SimulationOptions): SimulationResult => {
  const { random, relays, primaries, rate, seconds, costs, network } = options
  const events = createEvents<Step>()
  const answers: number[] = []
  const deliveries: number[] = []
  const one = (list: readonly Processor[], index: number): Processor => {
    const found = list[index]
    if (!found) throw new Error('there is no such processor')
    return found
  }

  /** Queues work in order of arrival. Returns its finishing time. */
  const work = (processor: Processor, at: number, cost: number): number => {
    const time = cost / (1 - processor.load)
    processor.freeAt = Math.max(processor.freeAt, at) + time
    processor.busy += time
    return processor.freeAt
  }
  const atPrimary = ({ primary }: Message, at: number, cost: number) => work(primary, at, cost) + network

  /** The steps of a message. Each returns the time of the next one. */
  const steps: ((message: Message, at: number) => number | undefined)[] = [
    (message, at) => work(message.writer, at, costs.relay.publish) + network,
    (message, at) => atPrimary(message, at, costs.primary.append),
    (message, at) => {
      answers.push(at - message.at)
      return work(message.reader, at, costs.relay.read) + network
    },
    (message, at) => atPrimary(message, at, costs.primary.read),
    (message, at) => work(message.reader, at, costs.relay.deliver),
    (message, at) => {
      deliveries.push(at - message.at)
      return work(message.reader, at, costs.relay.acknowledge) + network
    },
    (message, at) => {
      atPrimary(message, at, costs.primary.acknowledge)
      return undefined
    },
  ]

  const arrive = (at: number): void => {
    const message = {
      at,
      writer: one(relays, random(relays.length)),
      reader: one(relays, random(relays.length)),
      primary: one(primaries, Math.floor((random(SHARDS) * primaries.length) / SHARDS)),
    }
    events.add(at, { message, step: 0 })
  }
  /** Returns the random time until the next arrival. */
  const gap = (): number => -Math.log((random(RESOLUTION) + 1) / RESOLUTION) / rate

  let next = gap()
  arrive(next)
  for (let now = events.next(); now; now = events.next()) {
    const { at, event } = now
    if (event.step === 0) {
      next += gap()
      if (next < seconds) arrive(next)
    }
    const done = steps[event.step]?.(event.message, at)
    if (done !== undefined) events.add(done, { message: event.message, step: event.step + 1 })
  }
  const busiest = (list: readonly Processor[]): number =>
    Math.max(...list.map(({ load, busy }) => load + (busy * (1 - load)) / seconds))
  return {
    answer: summaryOf(answers),
    delivery: summaryOf(deliveries),
    utilization: { relay: busiest(relays), primary: busiest(primaries) },
  }
}
