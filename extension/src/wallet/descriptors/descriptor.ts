/**
 * ERC-7730 descriptors of contracts, which explain in words what a call or a signature does. They come from a file or a
 * host that the user chose, and only add an explanation: https://eips.ethereum.org/EIPS/eip-7730
 */
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'

/** Limits: bytes of a descriptor, number of descriptors, and bytes of all descriptors. */
export const MAX_DESCRIPTOR_SIZE = 256 << 10
export const MAX_DESCRIPTORS = 100
export const MAX_DESCRIPTORS_SIZE = 4 << 20
/** Limits: fields in an explanation, and characters of each of its texts. */
export const MAX_FIELDS = 30
export const MAX_TEXT = 200

/** A member by name, an array element by index (negative from the end), or a range of elements or bytes. */
export type Step = string | number | { from: number | null; to: number | null }

/** `#` stands for the arguments of the call or the message, `@` for the surrounding transaction or domain. */
export type Path = { root: '#' | '@'; steps: readonly Step[] }

/** Either a value in the data, or a text in the descriptor. */
export type Source = { path: Path } | { text: string }

/**
 * How a value is shown. `natives` are addresses that stand for the native currency. Amounts from `threshold` up are
 * shown as `message`. `labels` names one of the descriptor's enums.
 */
export type FieldFormat =
  | { as: 'raw' | 'address' | 'amount' | 'date' | 'duration' }
  | {
      as: 'tokenAmount'
      token: Source | null
      natives: readonly string[]
      threshold: string | null
      message: string | null
    }
  | { as: 'item'; collection: Source | null }
  | { as: 'unit'; base: string; decimals: number }
  | { as: 'enum'; labels: string }

export type Field = { label: string; value: Source; format: FieldFormat }

/** Explanation of a function or a type. `fields` can have one field more than is shown, so that a cut is noticed. */
export type Format = { intent: string | null; fields: readonly Field[] }

/** `text` is in the format that `parseFunction` accepts. */
export type CallFormat = Format & { selector: Hex; text: string }

/** `type` is the primary type's name, or its full `encodeType` text. */
export type TypeFormat = Format & { type: string }

export type Deployment = { chainId: number; address: Address }

type Shared = {
  owner: string | null
  deployments: readonly Deployment[]
  /** Texts of enum values, by the enum's name. */
  enums: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * `domain` has the members that a message's domain must match. `separator` is its hash, if the descriptor states it.
 */
export type DescriptorContent = Shared &
  (
    | { kind: 'calls'; formats: readonly CallFormat[] }
    | {
        kind: 'typedData'
        domain: Readonly<Record<string, string>>
        separator: string | null
        formats: readonly TypeFormat[]
      }
  )

/** `source` is a file's name or a host, `addedAt` a Unix time in ms. */
export type Descriptor = DescriptorContent & { id: string; source: string; addedAt: number }

/** Cuts an untrusted text to at most `most` characters without splitting a surrogate pair. */
export const cutText = (text: string, most = MAX_TEXT): string => {
  const cut = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
  return cut === text ? text : `${cut}…`
}
