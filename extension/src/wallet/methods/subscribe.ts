/**
 * eth_subscribe and eth_unsubscribe, which notify the page of blocks and logs with `message` events (EIP-1193).
 * https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub
 */
import { nodeValues, parseParams, parseParamsOn } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { type Answering, siteNetwork } from '../requests/context.ts'
import { MAX_FILTER } from '../sites/subscriptions.ts'
import { rpcError } from '../text/errors.ts'
import { assertOwnNode } from './reads.ts'

const MAX_ADDRESSES = 1_000
/** Maximum number of topics: a log has at most four. */
const MAX_TOPICS = 4
const MAX_CHOICES = 1_000

const topic = v.pipe(
  nodeValues.data,
  v.check(hash => hash.length === 66, 'must have 32 bytes'),
)
const listOf = <S extends v.GenericSchema>(item: S, most: number) =>
  v.pipe(v.array(item), v.maxLength(most, `must have at most ${most} items`))

/** A log filter. Like nodes, treats a null address and null topics as "any". */
const Filter = v.pipe(
  v.object({
    address: v.nullish(v.union([nodeValues.address, listOf(nodeValues.address, MAX_ADDRESSES)])),
    topics: v.nullish(listOf(v.nullable(v.union([topic, listOf(v.nullable(topic), MAX_CHOICES)])), MAX_TOPICS)),
  }),
  v.transform(({ address, topics }) => ({ ...(address && { address }), ...(topics && { topics }) })),
)

const kind = v.picklist(['newHeads', 'logs'], 'must be newHeads or logs')
const Kind = v.tuple([kind])
const OfLogs = v.tuple([kind, v.nullish(Filter, {})])

/** eth_subscribe: starts a subscription, and returns its id. */
export const subscribe: Answering = {
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const { origin, page, network, subscriptions } = context
    const [about] = parseParams(params, Kind)
    const filter = about === 'logs' ? parseParamsOn(network.chainId, params, OfLogs)[1] : null
    if (JSON.stringify(filter).length > MAX_FILTER)
      throw rpcError('limitExceeded', 'requestTooLong', { place: 'params[1]', limit: MAX_FILTER })
    if (page === null) throw rpcError('unsupportedMethod', 'noEvents')
    await assertOwnNode(context, filter)
    return subscriptions.add(origin, page, network, { logs: filter })
  },
}

const Params = v.tuple([v.string()])

/** eth_unsubscribe: removes a site's subscription. Returns whether it existed. */
export const unsubscribe: Answering = {
  answer: ({ origin, subscriptions }, params) => {
    const [id] = parseParams(params, Params)
    return subscriptions.remove(origin, id)
  },
}
