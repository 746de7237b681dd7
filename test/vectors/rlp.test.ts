/** RLP against `rlp.json`, which names its sources. */
import { fromBytes, toBytes } from '@heliograph/shared/evm/hex'
import { decode, encode, isList, type RlpItem } from '@heliograph/shared/evm/rlp'
import { expect, test } from 'vitest'
import vectors from './rlp.json' with { type: 'json' }

/** An item with its byte strings as DATA. */
type HexItem = string | readonly HexItem[]

const toItem = (item: HexItem): RlpItem => (typeof item === 'string' ? toBytes(item) : item.map(toItem))
const toHex = (item: RlpItem): HexItem => (isList(item) ? item.map(toHex) : fromBytes(item))

test.each(vectors.valid)('encodes and decodes $name', ({ decoded, encoded }) => {
  expect(fromBytes(encode(toItem(decoded)))).toBe(encoded)
  expect(toHex(decode(toBytes(encoded)))).toEqual(decoded)
})

test.each(vectors.invalid)('refuses $note', ({ encoded, error }) => {
  expect(() => decode(toBytes(encoded))).toThrow(expect.objectContaining({ message: error }))
})
