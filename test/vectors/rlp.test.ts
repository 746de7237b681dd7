/** RLP, tested with `rlp.json`, which names its sources. */
import { decodeData, encodeData } from '@heliograph/shared/evm/hex'
import { decodeRlp, encodeRlp, isRlpList, type RlpItem } from '@heliograph/shared/evm/rlp'
import { expect, test } from 'vitest'
import vectors from './rlp.json' with { type: 'json' }

/** An item whose byte strings are hex DATA. */
type HexItem = string | readonly HexItem[]

const toItem = (item: HexItem): RlpItem => (typeof item === 'string' ? decodeData(item) : item.map(toItem))
const toHex = (item: RlpItem): HexItem => (isRlpList(item) ? item.map(toHex) : encodeData(item))

test.each(vectors.valid)('encodes and decodes $name', ({ decoded, encoded }) => {
  expect(encodeData(encodeRlp(toItem(decoded)))).toBe(encoded)
  expect(toHex(decodeRlp(decodeData(encoded)))).toEqual(decoded)
})

test.each(vectors.invalid)('refuses $note', ({ encoded, error }) => {
  expect(() => decodeRlp(decodeData(encoded))).toThrow(expect.objectContaining({ message: error }))
})
