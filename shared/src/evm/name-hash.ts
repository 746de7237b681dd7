/** Names in the Ethereum Name Service: https://docs.ens.domains/ensip/1 and https://docs.ens.domains/ensip/10 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fail } from './fail.ts'
import { encodeData, type Hex } from './hex.ts'

const NODE_SIZE = 32
/** A label's length is written in one byte. */
const MAX_LABEL_BYTES = 255

/** Labels of a normalized name, the root's none. Throws ValueError for an empty or too long one. */
const labelsOf = (name: string): Uint8Array[] =>
  (name === '' ? [] : name.split('.')).map(label => {
    const bytes = utf8ToBytes(label)
    if (bytes.length === 0 || bytes.length > MAX_LABEL_BYTES) return fail('name', name, 'notNameLabel')
    return bytes
  })

/** The node of a normalized name, 32 bytes as DATA; zeros for the root, which is ''. ENSIP-1. Throws ValueError. */
export const nameHash = (name: string): Hex =>
  encodeData(
    labelsOf(name).reduceRight(
      (node, label) => keccak_256(concatBytes(node, keccak_256(label))),
      new Uint8Array(NODE_SIZE),
    ),
  )

/** A normalized name as DNS writes it: each label after its length, then a zero byte. ENSIP-10. Throws ValueError. */
export const encodeDnsName = (name: string): Uint8Array =>
  concatBytes(...labelsOf(name).flatMap(label => [Uint8Array.of(label.length), label]), Uint8Array.of(0))
