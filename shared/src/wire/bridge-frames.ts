/**
 * Frames of the v1 bridge's WebSocket: `{ topic, type, payload, silent }` as JSON, one a message. The protocol has no
 * answers and no errors; what is not a frame is passed over.
 */
import * as v from 'valibot'
import { topic } from './relay-methods.ts'
import { fromUtf8, isWellFormed } from './text.ts'

/** `silent` keeps the webhook of the topic from being called. */
export type BridgeFrame = { topic: string; type: 'pub' | 'sub' | 'ack'; payload: string; silent: boolean }

const schema = v.object({
  topic,
  type: v.picklist(['pub', 'sub', 'ack']),
  payload: v.pipe(v.nullish(v.string(), ''), v.check(isWellFormed)),
  silent: v.nullish(v.boolean(), false),
})

/** Reads one WebSocket message. Undefined for anything else, whatever the bytes; its size is the socket's to bound. */
export const decodeFrame = (input: string | Uint8Array): BridgeFrame | undefined => {
  try {
    const value = JSON.parse(typeof input === 'string' ? input : fromUtf8(input))
    const result = v.safeParse(schema, value, { abortEarly: true })
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

/** Writes one frame, members in the order in which the clients write them. */
export const encodeFrame = ({ topic, type, payload, silent }: BridgeFrame): string =>
  JSON.stringify({ topic, type, payload, silent })
