/**
 * Workloads for a server. Each received message is compared with the expected one. `wrong` counts messages that differ,
 * are repeated or out of order, and `lost` counts messages that never arrived.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, isSilent, messageOf, openAll, openClient, placeOf, type Target, topicOf } from './client.ts'
import { flush } from './wire.ts'

/** Warm-up time in milliseconds. During this time, V8 compiles the server's code. */
const WARM = 1000
/**
 * Milliseconds of warm-up at a fixed rate. It is longer, because compiling all code takes tens of thousands of
 * messages.
 */
const PACED_WARM = 6000
/** Milliseconds without progress after which a measurement fails. */
const PATIENCE = 60_000
/** Milliseconds of idle time after which a server counts as having finished its work. */
const REST = 3000
/** Ticks per second, the unit of Linux's processor times: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICKS_PER_SECOND = 100

/**
 * Minimum processor time of a valid result, in seconds. A result below it is invalid, because other processes left the
 * server almost no time.
 */
const LEAST_CPU = 0.1

/** Returns the processor time of a process in seconds, over all its threads. */
const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const residentKib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])

/** Waits until a condition holds, as long as there is progress. */
const settled = async (holds: () => boolean, progress: () => number): Promise<void> => {
  for (let last = -1; !holds() && progress() > last; ) {
    last = progress()
    for (const end = performance.now() + PATIENCE; !holds() && performance.now() < end; ) await pause(5)
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0)

/** One publisher and the subscribers of its topic, with at most `window` messages in flight. */
type ChannelOptions = {
  subscribers: number
  window: number
  /** Called with the milliseconds since the publish. */
  onAnswer?: (time: number) => void
  onDelivery?: (time: number) => void
}

const openChannel = async (target: Target, index: number, options: ChannelOptions) => {
  const { subscribers, window, onAnswer, onDelivery } = options
  const topic = topicOf(index)
  const counts = { sent: 0, answered: 0, delivered: 0, complete: 0, wrong: 0 }
  const sentAt: number[] = []
  /** Messages that some subscribers have not received yet, by index. */
  const underWay = new Map<number, { message: string; missing: number }>()
  let isOpen = true

  const timeSince = (place: number): number => performance.now() - (sentAt[place] ?? 0)
  const send = (): void => {
    const place = counts.sent++
    const message = messageOf(index, place)
    sentAt.push(performance.now())
    underWay.set(place, { message, missing: subscribers })
    writer.publish(place, topic, message)
  }
  const fill = (): void => {
    const done = isSilent(target) ? counts.complete : Math.min(counts.complete, counts.answered)
    while (isOpen && counts.sent - done < window) send()
  }
  const openReader = async (): Promise<void> => {
    let place = 0
    const onPush = (name: string, message: string): void => {
      const sent = underWay.get(place)
      if (sent === undefined || name !== topic || message !== sent.message) counts.wrong += 1
      else onDelivery?.(timeSince(place))
      counts.delivered += 1
      if (sent && --sent.missing === 0) {
        underWay.delete(place)
        counts.complete += 1
      }
      place += 1
      fill()
    }
    const reader = await openClient(target, { onPush })
    await reader.subscribe(topic)
  }
  await openAll(subscribers, openReader)
  const writer = await openClient(target, {
    onAnswer: place => {
      onAnswer?.(timeSince(place))
      counts.answered += 1
      fill()
    },
  })
  return { counts, send, fill, stop: () => (isOpen = false) }
}

type Channel = Awaited<ReturnType<typeof openChannel>>

/** Returns totals over all messages, once none is in flight. */
const outcome = async (channels: readonly Channel[], subscribers: number) => {
  const total = (name: keyof Channel['counts']) => sum(channels.map(({ counts }) => counts[name]))
  const lost = () => total('sent') * subscribers - total('delivered')
  await settled(
    () => lost() === 0,
    () => total('delivered'),
  )
  return { lost: lost(), wrong: total('wrong') }
}

export type LoadOptions = { channels: number; subscribers: number; window: number; seconds: number }

/**
 * Publishes as fast as possible. `perCore` is the number of messages per second that the servers would deliver with one
 * full processor. `cpus` is the processor time of each process per message, in seconds.
 */
const load = async (target: Target, { channels: count, subscribers, window, seconds }: LoadOptions) => {
  const channels = await openAll(count, index => openChannel(target, index, { subscribers, window }))
  const delivered = () => sum(channels.map(({ counts }) => counts.delivered))
  for (const { fill } of channels) fill()
  await pause(WARM)
  const [start, before, own] = [performance.now(), delivered(), process.cpuUsage()]
  const cpusBefore = target.pids.map(cpuSeconds)
  const cpusSince = () => target.pids.map((pid, index) => cpuSeconds(pid) - (cpusBefore[index] ?? 0))
  const cpuSince = () => sum(cpusSince())
  await pause(seconds * 1000)
  await settled(
    () => cpuSince() >= LEAST_CPU,
    () => 0,
  )
  const [messages, cpus, elapsed] = [delivered() - before, cpusSince(), performance.now() - start]
  const cpu = sum(cpus)
  const { user, system } = process.cpuUsage(own)
  for (const { stop } of channels) stop()
  return {
    ...(await outcome(channels, subscribers)),
    perCore: messages / cpu,
    cpus: cpus.map(seconds => seconds / messages),
    perSecond: (messages * 1000) / elapsed,
    serverLoad: (cpu * 1000) / elapsed,
    generatorLoad: (user + system) / 1000 / elapsed,
  }
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

/**
 * Publishes at a fixed rate, independent of responses. Times are in milliseconds from the publish. `cpus` is the
 * processor time of each process per message, in seconds.
 */
const pace = async (target: Target, options: { channels: number; rate: number; seconds: number }) => {
  const deliveries: number[] = []
  const answers: number[] = []
  const keep = (times: number[]) => (time: number) => {
    if (performance.now() > begin + PACED_WARM) times.push(time)
  }
  const hooks = { onDelivery: keep(deliveries), onAnswer: keep(answers) }
  const channels = await openAll(options.channels, index =>
    openChannel(target, index, { subscribers: 1, window: 0, ...hooks }),
  )
  const begin = performance.now()
  const end = begin + PACED_WARM + options.seconds * 1000
  let cpusBefore: number[] | undefined
  for (let sent = 0, now = begin; now < end; now = performance.now()) {
    if (now > begin + PACED_WARM) cpusBefore ??= target.pids.map(cpuSeconds)
    for (; sent < ((now - begin) * options.rate) / 1000; sent++) channels[sent % options.channels]?.send()
    flush()
    await new Promise(setImmediate)
  }
  const messages = options.rate * options.seconds
  const cpus = target.pids.map((pid, index) => (cpuSeconds(pid) - (cpusBefore?.[index] ?? 0)) / messages)
  const [deliveryP50, deliveryP99] = [quantile(deliveries, 0.5), quantile(deliveries, 0.99)]
  const [answerP50, answerP99] = [quantile(answers, 0.5), quantile(answers, 0.99)]
  return { ...(await outcome(channels, 1)), deliveryP50, deliveryP99, answerP50, answerP99, cpus }
}

/** Number of sockets that are opened before memory is read, so that one-time costs are not counted. */
const FIRST = 500

type IdleOptions = { sockets: number; isNamed: boolean; seconds: number }

/**
 * Opens idle sockets with one subscription each. `kib` is the server's memory per socket in KiB. `cpu` is its processor
 * time per socket and second, in seconds, measured for `seconds`.
 */
const idle = async (target: Target, { sockets, isNamed, seconds }: IdleOptions) => {
  const open = async (index: number): Promise<void> => {
    const client = await openClient(target, {}, isNamed ? index : undefined)
    await client.subscribe(topicOf(index))
  }
  await openAll(FIRST, open)
  await pause(REST)
  const before = residentKib(target.pids[0])
  await openAll(sockets, index => open(FIRST + index))
  await pause(REST)
  const cpuBefore = cpuSeconds(target.pids[0])
  await pause(seconds * 1000)
  const cpu = (cpuSeconds(target.pids[0]) - cpuBefore) / (seconds * (FIRST + sockets))
  return { lost: 0, wrong: 0, kib: (residentKib(target.pids[0]) - before) / sockets, cpu }
}

type StoreOptions = { messages: number; topics: number; writers: number; window: number; killAfter?: number }

/**
 * Publishes to topics without subscribers. With `killAfter`, kills the server after that many responses. `accepted` has
 * the numbers of the acknowledged messages.
 */
const store = async (target: Target, { messages, topics, writers, window, killAfter }: StoreOptions) => {
  const accepted: number[] = []
  const clients: Client[] = []
  let open = writers
  const publish = (number: number): void => {
    const [topic, place] = [number % topics, Math.floor(number / topics)]
    if (number < messages) clients[number % writers]?.publish(number, topicOf(topic), messageOf(topic, place))
  }
  const onAnswer = (number: number): void => {
    accepted.push(number)
    if (accepted.length === killAfter) process.kill(target.pids[0], 'SIGKILL')
    publish(number + writers * window)
  }
  await openAll(writers, async index => {
    clients[index] = await openClient(target, { onAnswer, onLost: () => open-- })
  })
  const start = performance.now()
  for (let number = 0; number < writers * window; number++) publish(number)
  await settled(
    () => accepted.length === messages || open === 0,
    () => accepted.length,
  )
  return { accepted, perSecond: (accepted.length * 1000) / (performance.now() - start) }
}

type DrainOptions = { topics: number; readers: number; accepted: readonly number[] }

/**
 * Subscribes to all topics and receives the stored messages. Repeats this after all messages were acknowledged; `again`
 * counts the messages that are received then.
 */
const drain = async (target: Target, { topics, readers, accepted }: DrainOptions) => {
  const missing = new Set(accepted)
  const numbers = new Map(Array.from({ length: topics }, (_, topic) => [topicOf(topic), topic]))
  const names = [...numbers.keys()]
  const reached = new Map<string, number>()
  const counts = { received: 0, wrong: 0, again: 0 }
  const onPush = (name: string, message: string): void => {
    const [topic = -1, place] = [numbers.get(name), placeOf(message)]
    if (message !== messageOf(topic, place) || place <= (reached.get(name) ?? -1)) counts.wrong += 1
    reached.set(name, place)
    missing.delete(place * topics + topic)
    counts.received += 1
  }
  const subscribeAll = (clients: readonly Client[]) =>
    Promise.all(names.map((name, index) => clients[index % readers]?.subscribe(name)))

  const clients = await openAll(readers, () => openClient(target, { onPush }))
  const start = performance.now()
  const subscribed = subscribeAll(clients)
  await settled(
    () => missing.size === 0,
    () => counts.received,
  )
  const seconds = (performance.now() - start) / 1000
  await subscribed
  // A second response on a socket proves that the server has read the earlier acknowledgements.
  await subscribeAll(clients)
  for (const { close } of clients) close()

  await subscribeAll(await openAll(readers, () => openClient(target, { onPush: () => counts.again++ })))
  await pause(REST)
  return { lost: missing.size, wrong: counts.wrong, again: counts.again, perSecond: counts.received / seconds }
}

export const workloads = { load, pace, idle, store, drain }
export type Workloads = typeof workloads
