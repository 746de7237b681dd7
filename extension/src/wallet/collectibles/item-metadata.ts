/**
 * Reads an item's metadata: https://eips.ethereum.org/EIPS/eip-721, https://eips.ethereum.org/EIPS/eip-1155. The
 * collection's creator wrote it, so every member is limited, and malformed members are left out.
 */
import * as v from 'valibot'
import type { ItemAttribute } from '../../messages.ts'

export type ItemMetadata = {
  name: string | null
  description: string | null
  /** The picture's URI. */
  image: string | null
  attributes: readonly ItemAttribute[]
}

/** Maximum characters of each member, and maximum number of attributes. */
const MAX_NAME = 128
const MAX_DESCRIPTION = 1_000
const MAX_TRAIT = 64
export const MAX_ATTRIBUTES = 30

const text = (most: number) =>
  v.pipe(
    v.union([v.string(), v.number(), v.boolean()]),
    v.transform(value => String(value).trim().slice(0, most)),
    v.minLength(1),
  )
const optional = (most: number) => v.fallback(v.nullable(text(most)), null)

const Attribute = v.object({ trait_type: text(MAX_TRAIT), value: text(MAX_TRAIT) })
const Metadata = v.object({
  name: optional(MAX_NAME),
  description: optional(MAX_DESCRIPTION),
  image: v.fallback(v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1))), null),
  attributes: v.fallback(v.array(v.unknown()), []),
})

const attributeOf = (value: unknown): ItemAttribute[] => {
  const { success, output } = v.safeParse(Attribute, value)
  return success ? [{ name: output.trait_type, value: output.value }] : []
}

/** Parses metadata. Null if the bytes are not a JSON object. */
export const parseMetadata = (bytes: Uint8Array): ItemMetadata | null => {
  try {
    const { attributes, ...metadata } = v.parse(Metadata, JSON.parse(new TextDecoder().decode(bytes)))
    return { ...metadata, attributes: attributes.slice(0, MAX_ATTRIBUTES).flatMap(attributeOf) }
  } catch {
    return null
  }
}

/** Replaces `{id}` in an ERC-1155 URI with the id: 64 lower-case hex digits without 0x. */
export const withItemId = (uri: string, id: string): string =>
  uri.replaceAll('{id}', BigInt(id).toString(16).padStart(64, '0'))
