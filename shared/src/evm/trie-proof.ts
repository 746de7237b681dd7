/**
 * Proofs from Merkle Patricia tries:
 * https://ethereum.org/developers/docs/data-structures-and-encoding/patricia-merkle-trie/
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fail } from './fail.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { decodeRlp, encodeRlp, isRlpList, type RlpItem } from './rlp.ts'

/** Root of a trie without entries: keccak256(RLP('')). */
export const EMPTY_TRIE_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Maximum number of nodes: a key of 32 bytes has 64 half bytes. */
const MAX_NODES = 65
/** Maximum bytes of a node. A branch with 16 hashes has 532, a leaf fewer. */
const MAX_NODE_BYTES = 1_024
const HASH_BYTES = 32
const BRANCH_ITEMS = 17

/** Splits bytes into half bytes. */
const halvesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap(byte => [byte >> 4, byte & 15])

/** Reads a path with its prefix: the first half byte is 0 or 1 for an extension, 2 or 3 for a leaf; odd if it is odd. */
const readPath = (encoded: Uint8Array, place: string): { isLeaf: boolean; path: readonly number[] } => {
  const [flag, padding, ...path] = halvesOf(encoded)
  if (flag === undefined || padding === undefined || flag > 3) return fail(place, encoded, 'notTrieNode')
  const isOdd = (flag & 1) === 1
  if (!isOdd && padding !== 0) return fail(place, encoded, 'notTrieNode')
  return { isLeaf: flag >= 2, path: isOdd ? [padding, ...path] : path }
}

/** Decodes a proof's node, whose hash must be `expected`. Throws ValueError. */
const decodeNode = (data: Hex, expected: Uint8Array, place: string): RlpItem => {
  const bytes = decodeData(data, place)
  if (encodeData(keccak_256(bytes)) !== encodeData(expected))
    return fail(place, data, 'wrongTrieHash', { wanted: encodeData(expected) })
  return decodeRlp(bytes, place)
}

/** The next step: a value, nothing at this path, or a child at the path's half byte `depth`. */
type Step = { value: Uint8Array | null } | { child: RlpItem; depth: number }

const valueIn = (item: RlpItem | undefined, place: string): Uint8Array =>
  item instanceof Uint8Array && item.length > 0 ? item : fail(place, item, 'notTrieNode')

const stepInBranch = (node: readonly RlpItem[], path: readonly number[], depth: number, place: string): Step => {
  const half = path[depth]
  const child = node[half ?? BRANCH_ITEMS - 1]
  if (child === undefined) return fail(place, node, 'notTrieNode')
  if (child instanceof Uint8Array && child.length === 0) return { value: null }
  return half === undefined ? { value: valueIn(child, place) } : { child, depth: depth + 1 }
}

const stepAlong = (node: readonly RlpItem[], path: readonly number[], depth: number, place: string): Step => {
  const [encoded, item] = node
  const { isLeaf, path: own } = readPath(valueIn(encoded, place), place)
  const matches = own.every((half, at) => half === path[depth + at])
  if (isLeaf) {
    const value = valueIn(item, place)
    return { value: matches && depth + own.length === path.length ? value : null }
  }
  if (own.length === 0 || item === undefined) return fail(place, node, 'notTrieNode')
  return matches ? { child: item, depth: depth + own.length } : { value: null }
}

const stepIn = (node: RlpItem, path: readonly number[], depth: number, place: string): Step => {
  if (isRlpList(node) && node.length === BRANCH_ITEMS) return stepInBranch(node, path, depth, place)
  if (isRlpList(node) && node.length === 2) return stepAlong(node, path, depth, place)
  return fail(place, node, 'notTrieNode')
}

/**
 * Verifies a proof against a trie's root, and returns the value at `key`, or null if the proof shows that there is none.
 * `key` is the key in the trie: for accounts and storage the hash of the address or slot. `proof` has the nodes from the
 * root on. Throws ValueError if the proof is malformed, incomplete, too large, or of another root.
 */
export const readTrieProof = (
  root: Hex,
  key: Uint8Array,
  proof: readonly Hex[],
  place = 'proof',
): Uint8Array | null => {
  if (proof.length > MAX_NODES) return fail(place, proof, 'overLimit', { limit: MAX_NODES })
  for (const node of proof)
    if (node.length > '0x'.length + 2 * MAX_NODE_BYTES)
      return fail(place, node, 'overLimit', { limit: `${MAX_NODE_BYTES} bytes` })
  const isEmpty = root.toLowerCase() === EMPTY_TRIE_ROOT
  if (isEmpty && proof.every(node => node === '0x80') && proof.length < 2) return null
  const path = halvesOf(key)
  let used = 0
  let step: Step = { child: decodeData(root, place, HASH_BYTES), depth: 0 }
  while ('child' in step) {
    const { child, depth } = step
    // A node of less than 32 bytes is contained in its parent; of any other, the parent contains the hash.
    if (isRlpList(child)) {
      if (encodeRlp(child).length >= HASH_BYTES) return fail(place, child, 'notTrieNode')
      step = stepIn(child, path, depth, place)
      continue
    }
    if (child.length !== HASH_BYTES) return fail(place, child, 'notTrieNode')
    const nodePlace = `${place}[${used}]`
    const data = proof[used++]
    if (data === undefined) return fail(place, proof, 'proofIncomplete')
    step = stepIn(decodeNode(data, child, nodePlace), path, depth, nodePlace)
  }
  if (used < proof.length) return fail(place, proof, 'proofTooLong', { used })
  return step.value
}
