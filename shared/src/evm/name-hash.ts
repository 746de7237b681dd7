/** Names in the Ethereum Name Service: https://docs.ens.domains/ensip/1 and https://docs.ens.domains/ensip/10 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fail } from './fail.ts'
import { encodeData, type Hex } from './hex.ts'

const NODE_SIZE = 32
/** Maximum size of a label in bytes: DNS encoding writes the size in one byte. */
const MAX_LABEL_BYTES = 255

/**
 * Returns the labels of a normalized name; the root has none. Throws ValueError for a label that is empty or too long.
 */
const labelsOf = (name: string): Uint8Array[] =>
  (name === '' ? [] : name.split('.')).map(label => {
    const bytes = utf8ToBytes(label)
    if (bytes.length === 0 || bytes.length > MAX_LABEL_BYTES) return fail('name', name, 'notNameLabel')
    return bytes
  })

/**
 * Returns the node (ENSIP-1) of a normalized name, 32 bytes as DATA. The root `''` has a node of zeros. Throws
 * ValueError.
 */
export const nameHash = (name: string): Hex =>
  encodeData(
    labelsOf(name).reduceRight(
      (node, label) => keccak_256(concatBytes(node, keccak_256(label))),
      new Uint8Array(NODE_SIZE),
    ),
  )

/**
 * Encodes a normalized name as DNS does (ENSIP-10): each label after its length, then a zero byte. Throws ValueError.
 */
export const encodeDnsName = (name: string): Uint8Array =>
  concatBytes(...labelsOf(name).flatMap(label => [Uint8Array.of(label.length), label]), Uint8Array.of(0))
