/** Schemas that several sections share. Null counts as absent. */
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import { parseUrl } from '@heliograph/shared/url'
import * as v from 'valibot'

/** An address in any case, in EIP-55 form. */
export const address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i),
  v.transform((text): Address => toAddress(text.toLowerCase())),
)

export const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** An absent or malformed switch is off. */
export const flag = v.fallback(v.boolean(), false)

/** A web origin, exactly as browsers report it. */
export const origin = v.pipe(
  v.string(),
  v.check(text => {
    const url = parseUrl(text)
    return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text
  }),
)

/** A text of at most `most` characters, or null. */
export const textOrNull = (most: number) => v.nullish(v.pipe(v.string(), v.maxLength(most)), null)

/** A list without its null members, of `least` to `most` others. */
export const listOf = <T>(item: v.GenericSchema<unknown, T>, most: number, least = 0): v.GenericSchema<unknown, T[]> =>
  v.pipe(
    v.unknown(),
    v.transform((list): unknown => (Array.isArray(list) ? list.filter(one => one !== null) : (list ?? []))),
    v.array(item),
    v.minLength(least),
    v.maxLength(most),
  )
