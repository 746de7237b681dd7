/**
 * Schemas for peers' messages. Unused properties are dropped, and texts are cut. Some libraries write null for an
 * absent value.
 */
import { rule } from '@heliograph/shared/wire/rules'
import * as v from 'valibot'

/** Maximum characters that are kept of each text in a peer's metadata. */
const MAX_NAME = 200
const MAX_TEXT = 1000

const cut = (most: number) =>
  v.pipe(
    v.nullish(v.string(), ''),
    v.transform(text => text.slice(0, most)),
  )

/** 32 bytes in hex. */
const publicKey = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/i, rule('notHexDigits', { digits: 64 })),
  v.transform(key => key.toLowerCase()),
)

const metadata = v.object({ name: cut(MAX_NAME), description: cut(MAX_TEXT), url: cut(MAX_TEXT) })

/** Maximum Unix time in seconds. */
const MAX_SECONDS = 1e12
const isTime = (value: number) => Number.isInteger(value) && value >= 0 && value <= MAX_SECONDS
const seconds = v.pipe(v.number(), v.check(isTime, rule('notSeconds', { least: 0, most: MAX_SECONDS })))

export const proposeSchema = v.object({
  proposer: v.object({ publicKey, metadata }),
  relays: v.nullish(v.array(v.object({ protocol: v.string() }))),
  requiredNamespaces: v.optional(v.unknown()),
  optionalNamespaces: v.optional(v.unknown()),
  expiryTimestamp: v.nullish(seconds),
})

export const requestSchema = v.object({
  chainId: v.string(),
  request: v.object({ method: v.string(), params: v.optional(v.unknown()), expiryTimestamp: v.nullish(seconds) }),
})
