/** The cost of frames in tokens, and the refusal of their requests when a peer has no tokens left. */
import { BYTES_A_TOKEN } from '@heliograph/shared/server/limits/rate'
import type { DecodedRpc, RpcBatch } from '@heliograph/shared/wire/json-rpc'
import { relayError } from '../reasons.ts'

/** A frame that is not a batch, or an item of one. */
export type Item = Exclude<DecodedRpc, RpcBatch>

export const itemsOf = (frame: DecodedRpc): readonly Item[] => (frame.kind === 'batch' ? frame.items : [frame])

/** A request costs one token, or one for each topic, message or receipt in it. An invalid frame costs one. */
export const costOf = (item: Item): number => {
  if (item.kind !== 'request') return item.kind === 'invalid' ? 1 : 0
  const lists = Object.values(item.params ?? {}).filter(Array.isArray)
  return Math.max(
    lists.reduce((sum, { length }) => sum + length, 0),
    1,
  )
}

/** Cost of a frame's size in bytes. */
export const costOfSize = (bytes: number): number => Math.floor(bytes / BYTES_A_TOKEN)

/** Cost of a frame in addition to its acknowledgements: its requests and its size in bytes. */
export const costOfFrame = (frame: DecodedRpc, bytes: number): number =>
  itemsOf(frame).reduce((sum, item) => sum + costOf(item), costOfSize(bytes))

const tooManyRequests = relayError('tooManyRequests')

/** Turns a request into an error response, and a notification into nothing. */
const asRefused = (item: Item): Item[] => {
  if (item.kind !== 'request') return [item]
  return item.id === undefined ? [] : [{ kind: 'invalid', id: item.id, error: tooManyRequests }]
}

/** The items of a frame with its requests refused. */
export const refusedItems = (frame: DecodedRpc): Item[] => itemsOf(frame).flatMap(asRefused)
