/**
 * Simulates failing writes, and crashes at any write to the log. Afterwards accepted messages must be stored in order,
 * and refused messages must not. Acknowledged messages may be stored only if a write failed. A batch must be stored
 * completely or not at all.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { disk } from '@heliograph/shared/server/storage/failing-disk.fixture'
import { openStore } from '@heliograph/shared/server/storage/store'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { fuzzCases } from '../../../test/support/fuzz-cases.ts'
import { copyFolder } from './copy-folder.fixture.ts'
import { wide } from './limits.fixture.ts'
import { openLocalMailbox } from './local-mailbox.ts'
import type { Client, Mailbox } from './mailbox.ts'

vi.mock('node:fs', async original =>
  (await import('@heliograph/shared/server/storage/failing-disk.fixture')).failingDisk(await original()),
)

const limits = { topicMessages: 10_000, topicBytes: 100_000_000, topicClients: 10, clientTopics: 10, ...wide }
const log = createLog('test', 'silent')
const publisher: Client = 'socket:publisher'
const readers: readonly Client[] = ['did:key:zAnn', 'did:key:zBen']
const topics = ['a', 'b']

const reader = fc.constantFrom(...readers)
const topic = fc.constantFrom(...topics)
/**
 * `cut` is the number of steps until the crash, `torn` the maximum bytes of a write that the crash interrupts. `fails`
 * says for each of ten writes whether the disk refuses it.
 */
const life = fc.record({
  durability: fc.constantFrom('process' as const, 'process' as const, 'disk' as const),
  cut: fc.integer({ min: 3, max: 80 }),
  torn: fc.integer({ min: 1, max: 12_000 }),
  events: fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('publish' as const),
          topic,
          length: fc.nat(3000),
          count: fc.constantFrom(1, 1, 4),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('subscribe' as const), topic, reader }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), topic, reader, most: fc.nat(8) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 0, 0, 1, 60) }) },
    ),
    { minLength: 20, maxLength: 80 },
  ),
  fails: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
})

type State = 'open' | 'done' | 'refused' | 'unknown'
/**
 * A published message and its outcome. `number` counts messages in the order of the calls, `batch` is the number of the
 * first message of the same call, and `for` has the clients that are certainly recipients.
 */
type Published = {
  number: number
  batch: number
  topic: string
  state: State
  for: Set<Client>
  had: Map<Client, State>
}
type Model = { messages: Published[]; subscriptions: Map<string, State> }

const settle = (states: Iterable<[Client | string, State]>, into: Map<string, State>): void => {
  for (const [name, state] of states) if (state === 'open') into.set(name, 'unknown')
}
/** Marks the outcome of unfinished operations as unknown, as it is after a crash. */
const forgetOpen = ({ messages, subscriptions }: Model): void => {
  for (const message of messages) {
    if (message.state === 'open') message.state = 'unknown'
    settle(message.had, message.had as Map<string, State>)
  }
  settle(subscriptions, subscriptions)
}

const numberOf = ({ json }: { json: string }): number => Number.parseInt(JSON.parse(json), 10)

/** Checks that the stored data is consistent with the responses. */
const expectKept = async (mailbox: Mailbox, { messages, subscriptions }: Model, mayFail: boolean): Promise<void> => {
  for (const name of topics)
    for (const client of readers) {
      if (subscriptions.get(`${client} ${name}`) === 'done') expect(await mailbox.clients(name)).toContain(client)
      const waiting = (await mailbox.read(client, name, 0, 10_000)).map(numberOf)
      expect(waiting).toEqual([...new Set(waiting)].toSorted((a, b) => a - b))
      const own = messages.filter(message => message.topic === name)
      const owed = own.filter(
        ({ state, for: recipients, had }) => state === 'done' && recipients.has(client) && !had.has(client),
      )
      for (const { number } of owed) expect(waiting).toContain(number)
      const over = own.filter(({ state, had }) => state === 'refused' || (!mayFail && had.get(client) === 'done'))
      for (const { number } of over) expect(waiting).not.toContain(number)
      const certain = own.filter(message => message.for.has(client))
      const present = certain.filter(({ number, had }) => waiting.includes(number) || had.has(client))
      for (const { batch } of present)
        expect(certain.filter(one => one.batch === batch && !present.includes(one))).toEqual([])
    }
}

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

/** Maximum bytes of a log file. It is small, so that files are created and removed often. */
const SEGMENT_BYTES = 5000

/** Runs random operations on a mailbox. Returns a copy of its folder at the time of the crash. */
const live = async (folder: string, model: Model, one: Life, mayFail: boolean) => {
  const { durability, cut, torn, events, fails } = one
  let left = cut
  let copy: string | undefined
  let writes = 0
  const step = (): void => {
    left -= 1
    if (left > 0 || copy !== undefined) return
    copy = copyFolder(folder)
    forgetOpen(model)
  }
  /** Some writes fail completely, others partly. */
  const mustFail = (): boolean => mayFail && copy === undefined && fails[writes++ % fails.length] === true

  const store = openStore(folder, { durability, segmentBytes: SEGMENT_BYTES })
  const storage = store.log('messages')
  const shares = sharesOf()
  const mailbox = openLocalMailbox({ storage, failure: () => undefined, limits, shares, log })
  await expectKept(mailbox, model, mayFail)
  disk.step = () => {
    step()
    if (left === 1) return torn
    if (!mustFail()) return Number.POSITIVE_INFINITY
    return writes % 2 === 0 ? 0 : 100
  }

  const publish = (name: string, length: number, count: number): void => {
    const batch = model.messages.length
    const numbers = Array.from({ length: count }, (_, index) => batch + index)
    const certain = readers.filter(client => model.subscriptions.get(`${client} ${name}`) === 'done')
    const asked = numbers.map(
      (number): Published => ({ number, batch, topic: name, state: 'open', for: new Set(certain), had: new Map() }),
    )
    const end = (state: State) => () => {
      for (const message of asked) if (message.state === 'open') message.state = state
    }
    const publications = numbers.map(number => {
      const json = JSON.stringify(`${number} ${'x'.repeat(length)}`)
      return { topic: name, json, size: json.length, ttl: 300, tag: 0, attestation: '' }
    })
    model.messages.push(...asked)
    try {
      mailbox.append(publisher, publications).commit.durable.then(end('done'), end('refused'))
    } catch {
      end('refused')()
    }
  }
  const subscribe = (client: Client, name: string): void => {
    const key = `${client} ${name}`
    if (model.subscriptions.has(key)) return
    model.subscriptions.set(key, 'open')
    const end = (state: State) => () => {
      if (model.subscriptions.get(key) === 'open') model.subscriptions.set(key, state)
    }
    mailbox.subscribe(client, name).then(end('done'), end('unknown'))
  }
  const acknowledge = async (client: Client, name: string, most: number): Promise<void> => {
    for (const found of await mailbox.read(client, name, 0, most)) {
      if (copy !== undefined) return
      const had = model.messages[numberOf(found)]?.had
      had?.set(client, 'open')
      void mailbox.acknowledge(client, name, found.seq).then(() => {
        if (had?.get(client) === 'open') had.set(client, 'done')
      })
    }
  }

  for (const event of events) {
    if (copy !== undefined) break
    if (event.do === 'publish') publish(event.topic, event.length, event.count)
    else if (event.do === 'subscribe') subscribe(event.reader, event.topic)
    else if (event.do === 'acknowledge') await acknowledge(event.reader, event.topic, event.most)
    else if (event.do === 'sweep') {
      await mailbox.sweep()
      store.tidy()
    } else await (event.ms === 0 ? endOfTurn() : pause(event.ms))
  }
  left = 0
  step()
  disk.step = undefined
  await store.close()
  return copy ?? folder
}

test.each([
  ['with failures of the disk', true],
  ['with none', false],
])('a mailbox keeps its promises over repeated crashes, %s', async (_, mayFail) => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 5 }), async lives => {
      const model: Model = { messages: [], subscriptions: new Map() }
      const folders = [mkdtempSync(join(tmpdir(), 'mailbox-crash-'))]
      try {
        for (const one of lives) folders.push(await live(folders.at(-1) ?? '', model, one, mayFail))
      } finally {
        for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: fuzzCases('mailboxCrashes'), endOnFailure: true },
  )
})
