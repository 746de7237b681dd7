/** Lists in Redis the socket subscriptions of each server, so that they can be ended when the server is gone. */
import type { Nodes } from '@heliograph/shared/server/redis/nodes'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import type { Client } from '../mailbox.ts'

export type Seat = readonly [client: Client, topic: string]

const keyOf = (node: string): string => `relay:{node:${node}}:seats`

const textOf = (seat: Seat): string => JSON.stringify(seat)

/** `end` ends a subscription. It is called for each subscription of a server that is gone. */
export const createSeats = (redis: Redis, nodes: Nodes, end: (seat: Seat) => Promise<unknown>) => {
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
