/** `subscribe`, `unsubscribe` and their batches. */
import { rpcError } from '@heliograph/shared/errors'
import { settleInTurns } from '@heliograph/shared/server/turn'
import { parseParams } from '@heliograph/shared/wire/params'
import { relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery.ts'
import { isNamed } from '../mailbox/mailbox.ts'
import type { Method, Parts } from '../method.ts'
import { subscriptionId } from '../subscription-id.ts'

/**
 * An id counts for clients without a name only: v2 clients make up their own or send none, and are known by their key.
 * Throws RpcError -32602 that names the place.
 */
const refuseWrongId = ({ client, subscriptions }: Peer, topic: string, id: unknown, place: string): void => {
  if (typeof id !== 'string' || isNamed(client)) return
  if (!subscriptions.some(subscription => subscription.topic === topic) || subscriptionId(topic, client) !== id)
    throw rpcError('invalidParams', `${place}.id: is not the subscription of this connection to this topic`)
}

/**
 * Milliseconds from the answer to a v2 client's batch to its backlog. Such a client sends one when it has just connected,
 * often while it is still being opened: those up to 2.17 acknowledge what comes before they have opened, and drop it.
 */
const OPENING_WAIT = 250

export const subscriptionMethods = ({ hub }: Parts) => {
  const subscribe: Method = async (peer, params, prefix) => {
    const { topic } = parseParams(relaySchemas(prefix).subscribe, params)
    const { id, open } = await hub.subscribe(peer, topic, prefix)
    return { result: id, after: open }
  }

  /** One after the other refused leaves those before it subscribed: the client asks again, and that is the same. */
  const batchSubscribe: Method = async (peer, params, prefix) => {
    const { topics } = parseParams(relaySchemas(prefix).batchSubscribe, params)
    const attempts = await settleInTurns(topics, topic => hub.subscribe(peer, topic, prefix))
    const made = attempts.flatMap(attempt => (attempt.status === 'fulfilled' ? attempt.value : []))
    const open = () => {
      for (const subscription of made) subscription.open()
    }
    const refused = attempts.find(attempt => attempt.status === 'rejected')
    const after = prefix === 'relay' ? open : () => void setTimeout(open, OPENING_WAIT)
    if (!refused) return { result: made.map(({ id }) => id), after }
    open()
    throw refused.reason
  }

  const unsubscribe: Method = async (peer, params, prefix) => {
    const { topic, id } = parseParams(relaySchemas(prefix).unsubscribe, params)
    refuseWrongId(peer, topic, id, 'params')
    await hub.unsubscribe(peer, topic)
    return { result: true }
  }

  const batchUnsubscribe: Method = async (peer, params, prefix) => {
    const { subscriptions } = parseParams(relaySchemas(prefix).batchUnsubscribe, params)
    for (const [index, { topic, id }] of subscriptions.entries())
      refuseWrongId(peer, topic, id, `params.subscriptions[${index}]`)
    const attempts = await settleInTurns(subscriptions, ({ topic }) => hub.unsubscribe(peer, topic))
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason
    return { result: true }
  }

  return { subscribe, batchSubscribe, unsubscribe, batchUnsubscribe }
}
