/**
 * Frames of the v1 bridge protocol: one JSON object `{ topic, type, payload, silent }` per WebSocket message. The
 * protocol has no responses or errors; invalid frames are ignored.
 * https://docs.walletconnect.com/1.0/bridge-server
 */
import * as v from 'valibot'
import { topicSchema } from './relay-values.ts'
import { fromUtf8, isWellFormed } from './text.ts'

/** A frame. `payload` is opaque text, empty in subscriptions. `silent` suppresses the topic's webhook. */
export type BridgeFrame = { topic: string; type: 'pub' | 'sub' | 'ack'; payload: string; silent: boolean }

const schema = v.object({
  topic: topicSchema,
  type: v.picklist(['pub', 'sub', 'ack']),
  payload: v.pipe(v.nullish(v.string(), ''), v.check(isWellFormed)),
  silent: v.nullish(v.boolean(), false),
})

/** Decodes a WebSocket message. Returns undefined if it is not a frame; never throws. The socket bounds its size. */
export const decodeBridgeFrame = (input: string | Uint8Array): BridgeFrame | undefined => {
  try {
    const value = JSON.parse(typeof input === 'string' ? input : fromUtf8(input))
    const result = v.safeParse(schema, value, { abortEarly: true })
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

/** Encodes a frame, with its members in the order that clients use. */
export const encodeBridgeFrame = ({ topic, type, payload, silent }: BridgeFrame): string =>
  JSON.stringify({ topic, type, payload, silent })
