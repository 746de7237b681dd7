/** A mailbox for each test, with shorthand functions. */
import { afterEach, beforeEach } from 'vitest'
import { wide } from './limits.fixture.ts'
import type { Accepted, Client, Mailbox, MailboxLimits, Message, Publication } from './mailbox.ts'

/** Opens the mailbox with its existing data. `close` ends it like a process exit. */
export type OpenMailbox = (
  limits: MailboxLimits,
  now: () => number,
) => Promise<{ mailbox: Mailbox; close: () => Promise<void> }>
/** Creates an empty store. */
export type MakeStore = () => Promise<{ open: OpenMailbox; remove: () => Promise<void> }>

export const ann: Client = 'did:key:zAnn'
export const ben: Client = 'did:key:zBen'
export const cat: Client = 'did:key:zCat'
export const socket: Client = 'socket:1'
export const other: Client = 'socket:2'
export const third: Client = 'socket:3'

export const TOPIC = 'a topic'
/** Unix time in milliseconds at which every test starts. */
export const START = 1_800_000_000_000
export const roomy: MailboxLimits = {
  topicMessages: 1000,
  topicBytes: 1_000_000,
  topicClients: 100,
  clientTopics: 100,
  ...wide,
}

export const publication = (message: string, more: Partial<Publication> = {}): Publication => ({
  topic: TOPIC,
  json: JSON.stringify(message),
  size: Buffer.byteLength(JSON.stringify(message)),
  ttl: 300,
  tag: 0,
  attestation: '',
  ...more,
})

export const texts = (messages: readonly Message[]): string[] => messages.map(({ json }) => JSON.parse(json))

/** Provides a new mailbox to each test in this block. */
export const useMailbox = (makeStore: MakeStore) => {
  let store: Awaited<ReturnType<MakeStore>>
  let opened: Awaited<ReturnType<OpenMailbox>>
  let time = START

  const open = async (limits: MailboxLimits): Promise<void> => {
    opened = await store.open(limits, () => time)
  }
  const begin = async (): Promise<void> => {
    store = await makeStore()
    await open(roomy)
  }
  const end = async (): Promise<void> => {
    await opened.close()
    await store.remove()
  }

  beforeEach(async () => {
    time = START
    await begin()
  })
  afterEach(end)

  const append = async (publisher: Client, ...publications: Publication[]): Promise<readonly Accepted[]> => {
    const { accepted, commit } = opened.mailbox.append(publisher, publications)
    await commit.durable
    return accepted
  }
  const read = (reader: Client, after = 0, limit = 1000, topic = TOPIC): Promise<readonly Message[]> =>
    opened.mailbox.read(reader, topic, after, limit)

  return {
    /** The currently open mailbox. */
    mailbox: () => opened.mailbox,
    now: () => time,
    pass: (milliseconds: number): void => {
      time += milliseconds
    },
    restart: async (limits: MailboxLimits = roomy): Promise<void> => {
      await opened.close()
      await open(limits)
    },
    /** Replaces the store with an empty store. */
    renew: async (): Promise<void> => {
      await end()
      await begin()
    },
    append,
    publish: (publisher: Client, message: string, more: Partial<Publication> = {}) =>
      append(publisher, publication(message, more)),
    subscribe: (reader: Client, topic = TOPIC) => opened.mailbox.subscribe(reader, topic),
    unsubscribe: (reader: Client, topic = TOPIC) => opened.mailbox.unsubscribe(reader, topic),
    read,
    waiting: async (reader: Client, topic = TOPIC) => texts(await read(reader, 0, 1000, topic)),
    acknowledge: async (reader: Client, message: string): Promise<void> => {
      const found = (await read(reader)).find(one => JSON.parse(one.json) === message)
      if (found) await opened.mailbox.acknowledge(reader, TOPIC, found.seq)
    },
  }
}

export type Used = ReturnType<typeof useMailbox>
