/**
 * Blob sidecars, which accompany blob transactions between nodes: EIP-4844, and EIP-7594 for cell proofs.
 * https://eips.ethereum.org/EIPS/eip-4844#networking, https://eips.ethereum.org/EIPS/eip-7594#networking
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { asBytes, asList, uint64 } from './codec.ts'
import { fail } from './fail.ts'
import type { Hex } from './hex.ts'
import type { RlpItem } from './rlp.ts'

const BLOB_SIZE = 131_072
const POINT_SIZE = 48
const CELL_PROOFS_PER_BLOB = 128
const CELL_PROOFS_VERSION = 1n

const checkItems = (item: RlpItem, place: string, count: number, size: number): readonly Uint8Array[] => {
  const items = asList(item, place)
  if (items.length !== count) return fail(place, items, 'wrongElementCount', { wanted: count })
  return items.map((child, i) => asBytes(child, `${place}[${i}]`, size))
}

/**
 * Checks the sidecar that follows a transaction in its network form: blobs, commitments and proofs, preceded by a
 * version since EIP-7594. Checks counts, sizes and commitment hashes. Does not verify the KZG proofs, because nodes do.
 */
export const checkSidecar = (items: readonly RlpItem[], hashes: readonly Hex[], place: string): void => {
  if (items.length !== 3 && items.length !== 4) fail(place, items, 'notSidecar')
  const [first = []] = items
  const version = items.length === 4 ? uint64.fromRlp(first, `${place}.version`) : 0n
  if (items.length === 4 && version !== CELL_PROOFS_VERSION) fail(`${place}.version`, version, 'notSidecarVersion')

  const [blobs = [], commitments = [], proofs = []] = items.slice(-3)
  const count = hashes.length
  checkItems(blobs, `${place}.blobs`, count, BLOB_SIZE)
  checkItems(proofs, `${place}.proofs`, version === 0n ? count : count * CELL_PROOFS_PER_BLOB, POINT_SIZE)
  for (const [i, commitment] of checkItems(commitments, `${place}.commitments`, count, POINT_SIZE).entries()) {
    const hash = `0x01${bytesToHex(sha256(commitment).subarray(1))}`
    if (hash !== hashes[i]) fail(`${place}.commitments[${i}]`, hash, 'wrongCommitment', { wanted: hashes[i] ?? '' })
  }
}
