/** Minimal model of the mailbox's rules for tests: one list, searched linearly. */
import type { Client } from './mailbox.ts'

type Kept = {
  topic: string
  text: string
  publisher: Client
  expiresAt: number
  waiting: Set<Client>
  isOpen: boolean
}

const isSocket = (client: Client): boolean => client.startsWith('socket:')

export const createModel = () => {
  let kept: Kept[] = []
  const members = new Map<string, Set<Client>>()
  const membersOf = (topic: string): Set<Client> => {
    const clients = members.get(topic) ?? new Set()
    members.set(topic, clients)
    return clients
  }
  const tidy = (time: number) => {
    kept = kept.filter(({ waiting, isOpen, expiresAt }) => (waiting.size > 0 || isOpen) && expiresAt > time)
  }
  const leave = (client: Client, topic: string) => {
    membersOf(topic).delete(client)
    for (const message of kept) if (message.topic === topic) message.waiting.delete(client)
  }
  return {
    publish: (publisher: Client, topic: string, text: string, expiresAt: number, time: number) => {
      tidy(time)
      if (kept.some(one => one.topic === topic && one.publisher === publisher && one.text === text)) return
      const waiting = new Set([...membersOf(topic)].filter(client => client !== publisher))
      const isOpen = waiting.size === 0 || [...waiting].some(isSocket)
      kept.push({ topic, text, publisher, expiresAt, waiting, isOpen })
    },
    subscribe: (client: Client, topic: string, time: number) => {
      tidy(time)
      membersOf(topic).add(client)
      for (const message of kept) {
        if (message.topic !== topic || !message.isOpen || message.publisher === client) continue
        if (!isSocket(client) && [...message.waiting].some(waiting => !isSocket(waiting))) continue
        message.waiting.add(client)
        if (!isSocket(client)) message.isOpen = false
      }
    },
    unsubscribe: leave,
    /** Acknowledges the message at that index among the messages that wait for the client. */
    acknowledge: (client: Client, topic: string, index: number, time: number) => {
      tidy(time)
      const message = kept.filter(one => one.topic === topic && one.waiting.has(client))[index]
      message?.waiting.delete(client)
      if (message && isSocket(client)) message.isOpen = false
    },
    restart: () => {
      for (const [topic, clients] of members) for (const client of clients) if (isSocket(client)) leave(client, topic)
    },
    read: (client: Client, topic: string, time: number): string[] => {
      tidy(time)
      return kept.filter(one => one.topic === topic && one.waiting.has(client)).map(({ text }) => text)
    },
  }
}
