/** Builds small Merkle Patricia tries and their proofs, for tests. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { encodeRlp, type RlpItem } from './rlp.ts'
import { EMPTY_TRIE_ROOT } from './trie-proof.ts'

type Entry = { path: readonly number[]; value: Uint8Array }

const NOTHING = new Uint8Array()

const halvesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap(byte => [byte >> 4, byte & 15])

/** Encodes a path with its prefix. */
const encodePath = (path: readonly number[], isLeaf: boolean): Uint8Array => {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2)
  const halves = path.length % 2 === 1 ? [flag, ...path] : [flag, 0, ...path]
  return Uint8Array.from(
    { length: halves.length / 2 },
    (_, at) => (halves[2 * at] ?? 0) * 16 + (halves[2 * at + 1] ?? 0),
  )
}

const sharedLength = (entries: readonly Entry[]): number => {
  const [first] = entries
  const paths = entries.map(({ path }) => path)
  const at = (first?.path ?? []).findIndex((half, index) => paths.some(path => path[index] !== half))
  return at < 0 ? (first?.path.length ?? 0) : at
}

export type Trie = {
  root: Hex
  /** Returns the nodes from the root to the value at `key`, or to where it is missing. */
  prove(key: Uint8Array): Hex[]
}

/** Builds the trie of these entries. The keys must have the same length. */
export const trieOf = (entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Trie => {
  const nodes = new Map<Hex, RlpItem>()

  const refer = (node: RlpItem): RlpItem => {
    const bytes = encodeRlp(node)
    if (bytes.length < 32) return node
    const hash = keccak_256(bytes)
    nodes.set(encodeData(hash), node)
    return hash
  }
  const build = (all: readonly Entry[]): RlpItem => {
    const [first, ...others] = all
    if (!first) return NOTHING
    if (others.length === 0) return [encodePath(first.path, true), first.value]
    const length = sharedLength(all)
    if (length > 0) {
      const rest = all.map(({ path, value }) => ({ path: path.slice(length), value }))
      return [encodePath(first.path.slice(0, length), false), refer(build(rest))]
    }
    const children = Array.from({ length: 16 }, (_, half) => {
      const below = all.filter(({ path }) => path[0] === half)
      return below.length === 0
        ? NOTHING
        : refer(build(below.map(({ path, value }) => ({ path: path.slice(1), value }))))
    })
    return [...children, NOTHING]
  }

  const top = build(entries.map(([key, value]) => ({ path: halvesOf(key), value })))
  const root = entries.length === 0 ? EMPTY_TRIE_ROOT : encodeData(keccak_256(encodeRlp(top)))
  nodes.set(root, top)

  const prove = (key: Uint8Array): Hex[] => {
    if (entries.length === 0) return []
    const proof = [encodeData(encodeRlp(top))]
    const step = (node: RlpItem | undefined, path: readonly number[]): void => {
      if (node === undefined || (node instanceof Uint8Array && node.length === 0)) return
      if (node instanceof Uint8Array) {
        const below = nodes.get(encodeData(node))
        if (below === undefined) return
        proof.push(encodeData(encodeRlp(below)))
        step(below, path)
        return
      }
      if (node.length === 17) {
        step(node[path[0] ?? 16], path.slice(1))
        return
      }
      const halves = halvesOf(node[0] instanceof Uint8Array ? node[0] : NOTHING)
      const own = (halves[0] ?? 0) % 2 === 1 ? halves.slice(1) : halves.slice(2)
      if ((halves[0] ?? 0) < 2 && own.every((half, at) => half === path[at])) step(node[1], path.slice(own.length))
    }
    step(top, halvesOf(key))
    return proof
  }
  return { root, prove }
}

/** An account for a state: its balance in wei, its nonce, and its code. */
export type StateAccount = { balance?: bigint; nonce?: bigint; code?: Hex }

const numberBytes = (value: bigint): Uint8Array => {
  const digits = value.toString(16)
  return value === 0n ? NOTHING : decodeData(`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`)
}

/** Builds the state trie of accounts by address. `prove` takes an address. */
export const stateOf = (accounts: Readonly<Record<string, StateAccount>>) => {
  const keyOf = (address: string) => keccak_256(decodeData(address))
  const trie = trieOf(
    Object.entries(accounts).map(([address, { balance = 0n, nonce = 0n, code = '0x' }]) => [
      keyOf(address),
      encodeRlp([numberBytes(nonce), numberBytes(balance), decodeData(EMPTY_TRIE_ROOT), keccak_256(decodeData(code))]),
    ]),
  )
  return { root: trie.root, prove: (address: string): Hex[] => trie.prove(keyOf(address)) }
}
