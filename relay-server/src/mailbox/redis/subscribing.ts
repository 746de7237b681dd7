/** Subscribes clients in Redis, and charges their payers. */
import { type Accounts, payerNames } from '@heliograph/shared/server/limits/redis-accounts'
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { Nodes } from '@heliograph/shared/server/redis/nodes'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { type Client, isNamed, type MailboxLimits } from '../mailbox.ts'
import type { createClientTopics } from './client-topics.ts'
import type { createRefusals } from './refusals.ts'
import { type Ask, channelOf } from './topic-script.ts'
import type { createTotals } from './totals.ts'

/** A subscription of a socket. */
type Seat = readonly [client: Client, topic: string]

const keyOf = (node: string): string => `relay:{node:${node}}:seats`

const textOf = (seat: Seat): string => JSON.stringify(seat)

/**
 * Lists in Redis the socket subscriptions of each server, so that they can be ended when the server is gone. `end` ends
 * a subscription. It is called for each subscription of a server that is gone.
 */
const createSeats = (redis: Redis, nodes: Nodes, end: (seat: Seat) => Promise<unknown>) => {
  const key = keyOf(nodes.id)
  /** The seats of this server. */
  const taken = new Map<string, Seat>()

  nodes.onGone(async node => {
    const seats = await redis.send(keyOf(node), ['SMEMBERS', keyOf(node)])
    for (const seat of Array.isArray(seats) ? seats : []) await end(JSON.parse(`${seat}`))
    await redis.send(keyOf(node), ['DEL', keyOf(node)])
  })

  return {
    all: (): Seat[] => [...taken.values()],
    /** Adds a subscription. Must be called before the subscription is made. */
    take: async (seat: Seat): Promise<void> => {
      taken.set(textOf(seat), seat)
      await redis.send(key, ['SADD', key, textOf(seat)])
    },
    /** Removes a subscription. Must be called after the subscription has ended. */
    give: async (seat: Seat): Promise<void> => {
      taken.delete(textOf(seat))
      await redis.send(key, ['SREM', key, textOf(seat)])
    },
  }
}

type SubscribingOptions = {
  redis: Redis
  nodes: Nodes
  ask: Ask
  accounts: Accounts
  clientTopics: ReturnType<typeof createClientTopics>
  refusals: ReturnType<typeof createRefusals>
  totals: ReturnType<typeof createTotals>
  limits: MailboxLimits
  subscriptionMs: number
  unusedMs: number
}

const ONE = { subscriptions: 1 }

export const createSubscribing = (options: SubscribingOptions) => {
  const { redis, nodes, ask, accounts, clientTopics, refusals, totals, limits, subscriptionMs, unusedMs } = options

  /** Subscribes a client, or renews its subscription. A renewal needs no room and may change the payers. */
  const join = async (client: Client, topic: string, payers: Payers): Promise<number> => {
    const spent = await accounts.take(payers, ONE)
    const room = spent ? 0 : totals.room().subscriptions
    try {
      const terms = [subscriptionMs, unusedMs, limits.topicClients, room, payerNames(payers), refusals.parts.clients]
      const answer = await totals.asking(ONE, () =>
        redis.storing(channelOf(topic), () => ask('subscribe', topic, [client, ...terms])),
      )
      refusals.refuse(answer, spent)
      if (spent) await accounts.force(payers, ONE)
      return Number(answer.value)
    } catch (thrown) {
      if (!spent) accounts.giveBack(payers, ONE)
      throw thrown
    }
  }

  const leave = async (client: Client, topic: string): Promise<void> => {
    refusals.refuse(await ask('unsubscribe', topic, [client]))
  }

  const seats = createSeats(redis, nodes, ([client, topic]) => leave(client, topic))

  return {
    subscribe: async (client: Client, topic: string, payers: Payers): Promise<number> => {
      if (!isNamed(client)) {
        await seats.take([client, topic])
        return join(client, topic, payers)
      }
      await clientTopics.add(client, topic)
      try {
        return await join(client, topic, payers)
      } catch (thrown) {
        await clientTopics.remove(client, topic).catch(() => undefined)
        throw thrown
      }
    },

    unsubscribe: async (client: Client, topic: string): Promise<void> => {
      await leave(client, topic)
      if (isNamed(client)) await clientTopics.remove(client, topic)
      else await seats.give([client, topic])
    },

    /** Ends the subscriptions of this server's sockets. */
    close: async (): Promise<void> => {
      await Promise.all(
        seats.all().map(async ([client, topic]) => {
          await leave(client, topic)
          await seats.give([client, topic])
        }),
      )
    },
  }
}
