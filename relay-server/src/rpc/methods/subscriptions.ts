/** `subscribe`, `unsubscribe` and their batches. */
import { settleInTurns } from '@heliograph/shared/server/process/turn'
import { parseParams } from '@heliograph/shared/wire/params'
import { relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../../delivery/delivery.ts'
import { subscriptionId } from '../../delivery/push.ts'
import { isNamed } from '../../mailbox/mailbox.ts'
import { relayError } from '../../reasons.ts'
import type { Method, Parts } from '../method.ts'

/**
 * Checks the subscription id that a client without a key sends. v2 clients invent ids or send none, and are identified
 * by their key. Throws RpcError -32602, which names the place.
 */
const refuseWrongId = ({ client, subscriptions }: Peer, topic: string, id: unknown, place: string): void => {
  if (typeof id !== 'string' || isNamed(client)) return
  if (!subscriptions.some(subscription => subscription.topic === topic) || subscriptionId(topic, client) !== id)
    throw relayError('invalidParams', 'subscriptionUnknown', { place: `${place}.id` })
}

/**
 * Milliseconds between the response to a v2 client's batch and its backlog. Clients send a batch when they have just
 * connected. Until version 2.17 they acknowledge and drop messages that arrive before their initialization is complete.
 */
const OPENING_WAIT = 250

export const subscriptionMethods = ({ hub }: Parts) => {
  const subscribe: Method = async (peer, params, prefix) => {
    const { topic } = parseParams(params, relaySchemas(prefix).subscribe)
    const { id, open } = await hub.subscribe(peer, topic, prefix)
    return { result: id, after: open }
  }

  /**
   * Subscribes to several topics. If one subscription fails, the client stays subscribed to the other topics. It may
   * retry, because subscribing is idempotent.
   */
  const batchSubscribe: Method = async (peer, params, prefix) => {
    const { topics } = parseParams(params, relaySchemas(prefix).batchSubscribe)
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
    const { topic, id } = parseParams(params, relaySchemas(prefix).unsubscribe)
    refuseWrongId(peer, topic, id, 'params')
    await hub.unsubscribe(peer, topic)
    return { result: true }
  }

  const batchUnsubscribe: Method = async (peer, params, prefix) => {
    const { subscriptions } = parseParams(params, relaySchemas(prefix).batchUnsubscribe)
    for (const [index, { topic, id }] of subscriptions.entries())
      refuseWrongId(peer, topic, id, `params.subscriptions[${index}]`)
    const attempts = await settleInTurns(subscriptions, ({ topic }) => hub.unsubscribe(peer, topic))
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason
    return { result: true }
  }

  return { subscribe, batchSubscribe, unsubscribe, batchUnsubscribe }
}
