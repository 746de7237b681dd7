/** Schemas of JSON-RPC values: https://ethereum.org/developers/docs/apis/json-rpc/#conventions */
import * as v from 'valibot'
import { toAddress } from '../evm/address.ts'
import { decodeQuantity, encodeQuantity, type Hex, isHex, normalizeQuantity } from '../evm/hex.ts'

/** Makes a schema from a parser that throws. `rule` replaces the parser's message, which would quote the value. */
export const parsedBy = <T>(parser: (value: unknown) => T, rule: string) =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      try {
        return parser(dataset.value)
      } catch {
        addIssue({ message: rule })
        return NEVER
      }
    }),
  )

const address = parsedBy(
  value => toAddress(value),
  'must be an address: 0x and 40 hex digits, in mixed case with the right EIP-55 checksum',
)
const quantity = parsedBy(
  value => encodeQuantity(decodeQuantity(value)),
  'must be a QUANTITY: 0x and hex digits without leading zeros',
)
const siteQuantity = parsedBy(value => normalizeQuantity(value), 'must be 0x and hex digits of at most 256 bits')
const data = v.custom<Hex>(isHex, 'must be DATA: 0x and an even number of hex digits')
/** `siteQuantity` also accepts leading zeros, and a bare `0x` as zero, because sites send them. */
export const nodeValues = { address, quantity, siteQuantity, data }

/** The members of a JSON object. */
export type Members = Record<string, unknown>
