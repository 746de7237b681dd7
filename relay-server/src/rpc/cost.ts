/** Computes the cost of frames in tokens. Refuses the requests of a frame when its peer has no tokens left. */
import { BYTES_A_TOKEN } from '@heliograph/shared/server/limits/rate'
import type { DecodedRpc, RpcBatch } from '@heliograph/shared/wire/json-rpc'
import { relayError } from '../reasons.ts'

/** A frame that is not a batch, or an item of a batch. */
export type Item = Exclude<DecodedRpc, RpcBatch>

export const itemsOf = (frame: DecodedRpc): readonly Item[] => (frame.kind === 'batch' ? frame.items : [frame])

/** Returns the cost in tokens: 1 per topic, message or receipt in a request, at least 1, and 1 for an invalid frame. */
export const costOf = (item: Item): number => {
  if (item.kind !== 'request') return item.kind === 'invalid' ? 1 : 0
  const lists = Object.values(item.params ?? {}).filter(Array.isArray)
  return Math.max(
    lists.reduce((sum, { length }) => sum + length, 0),
    1,
  )
}

/** Returns the cost in tokens of a frame's size. */
export const costOfSize = (bytes: number): number => Math.floor(bytes / BYTES_A_TOKEN)

/** Returns the cost in tokens of a frame's requests and size. The cost of its acknowledgements is not included. */
export const costOfFrame = (frame: DecodedRpc, bytes: number): number =>
  itemsOf(frame).reduce((sum, item) => sum + costOf(item), costOfSize(bytes))

const tooManyRequests = relayError('tooManyRequests')

/** Replaces a request by an error, and removes a notification. */
const asRefused = (item: Item): Item[] => {
  if (item.kind !== 'request') return [item]
  return item.id === undefined ? [] : [{ kind: 'invalid', id: item.id, error: tooManyRequests }]
}

/** Returns the items of a frame, with errors in place of its requests. */
export const refusedItems = (frame: DecodedRpc): Item[] => itemsOf(frame).flatMap(asRefused)
