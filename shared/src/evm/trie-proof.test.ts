import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { encodeRlp, type RlpItem } from './rlp.ts'
import { trieOf } from './trie.fixture.ts'
import { EMPTY_TRIE_ROOT, readTrieProof } from './trie-proof.ts'
import { ValueError } from './value-error.ts'

/** Keys of two bytes share parts of their paths, so that tries have extensions and nodes inside others. */
const key = fc.uint8Array({ minLength: 2, maxLength: 2 })
const value = fc.uint8Array({ minLength: 1, maxLength: 40 })
const entries = fc.uniqueArray(fc.tuple(key, value), {
  minLength: 1,
  maxLength: 30,
  selector: ([bytes]) => String(bytes),
})

const hashOf = (node: RlpItem): Hex => encodeData(keccak_256(encodeRlp(node)))
const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes)
const nodeOf = (node: RlpItem): Hex => encodeData(encodeRlp(node))

test('each value of a trie is proved, and each missing key is proved to be missing', () => {
  fc.assert(
    fc.property(entries, key, (all, other) => {
      const trie = trieOf(all)
      for (const [at, own] of all) expect(readTrieProof(trie.root, at, trie.prove(at))).toEqual(own)
      const present = all.find(([at]) => String(at) === String(other))?.[1] ?? null
      expect(readTrieProof(trie.root, other, trie.prove(other))).toEqual(present)
    }),
  )
})

test('a proof of another key, of another root, or with a changed byte proves nothing else', () => {
  fc.assert(
    fc.property(entries, key, fc.nat(), fc.integer({ min: 1, max: 255 }), (all, other, at, change) => {
      const trie = trieOf(all)
      const [[first] = [bytesOf(0, 0)]] = all
      const proof = trie.prove(first)
      const truth = all.find(([own]) => String(own) === String(other))?.[1] ?? null
      const read = (root: Hex, path: Uint8Array, nodes: readonly Hex[]) => {
        try {
          return readTrieProof(root, path, nodes)
        } catch (error) {
          expect(error).toBeInstanceOf(ValueError)
          return undefined
        }
      }
      // A proof may happen to prove another key as well, but then only what the trie has there.
      expect([undefined, truth]).toContainEqual(read(trie.root, other, proof))
      const changed = proof.map((node, index) => {
        const bytes = decodeData(node)
        if (index === at % proof.length) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change
        return encodeData(bytes)
      })
      expect(read(trie.root, first, changed)).toBeUndefined()
      expect(read(hashOf([bytesOf(0x20), bytesOf(1)]), first, proof)).toBeUndefined()
    }),
  )
})

test('an empty trie has no value, with no node or with the empty one', () => {
  expect(EMPTY_TRIE_ROOT).toBe(hashOf(new Uint8Array()))
  expect(readTrieProof(EMPTY_TRIE_ROOT, bytesOf(1), [])).toBeNull()
  expect(readTrieProof(EMPTY_TRIE_ROOT, bytesOf(1), ['0x80'])).toBeNull()
})

const LEAF = [bytesOf(0x20, 0x12), bytesOf(5)]
const FAR = new Uint8Array(32).fill(7)
const EMPTY = new Uint8Array()
const branch = (child: RlpItem, end: RlpItem = EMPTY): RlpItem => [...Array<RlpItem>(16).fill(child), end]

test.each<[name: string, root: RlpItem, proof: readonly RlpItem[], reason: string]>([
  ['no node', LEAF, [], 'proofIncomplete'],
  ['a missing node', branch(FAR), [branch(FAR)], 'proofIncomplete'],
  ['a node after the last', LEAF, [LEAF, LEAF], 'proofTooLong'],
  ['another node', LEAF, [[bytesOf(0x20, 0x13), bytesOf(5)]], 'wrongTrieHash'],
  ['a list of three', [EMPTY, EMPTY, EMPTY], [[EMPTY, EMPTY, EMPTY]], 'notTrieNode'],
  ['a string', FAR, [FAR], 'notTrieNode'],
  ['a path with an unknown prefix', [bytesOf(0x40), bytesOf(1)], [[bytesOf(0x40), bytesOf(1)]], 'notTrieNode'],
  ['padding in an even path', [bytesOf(0x0f, 0x12), FAR], [[bytesOf(0x0f, 0x12), FAR]], 'notTrieNode'],
  ['an extension without a path', [bytesOf(0x00), FAR], [[bytesOf(0x00), FAR]], 'notTrieNode'],
  ['a leaf without a value', [bytesOf(0x20, 0x12), EMPTY], [[bytesOf(0x20, 0x12), EMPTY]], 'notTrieNode'],
  ['a child that is no hash', branch(bytesOf(1, 2)), [branch(bytesOf(1, 2))], 'notTrieNode'],
  [
    'a child inside its parent that is too long for it',
    [bytesOf(0x11), [bytesOf(0x32), new Uint8Array(40)]],
    [[bytesOf(0x11), [bytesOf(0x32), new Uint8Array(40)]]],
    'notTrieNode',
  ],
])('%s is refused', (_, root, proof, reason) => {
  const read = () => readTrieProof(hashOf(root), bytesOf(0x12), proof.map(nodeOf))
  expect(read).toThrow(expect.objectContaining({ name: 'ValueError', reason }))
})

test('text that is no RLP, too many nodes and too large ones are refused', () => {
  const root = hashOf(LEAF)
  expect(() => readTrieProof(root, bytesOf(0x12), ['0x12345'])).toThrow(/DATA/)
  expect(() => readTrieProof(encodeData(keccak_256(bytesOf(0xf8))), bytesOf(0x12), ['0xf8'])).toThrow(/RLP|remain/)
  expect(() => readTrieProof(root, bytesOf(0x12), Array(66).fill(nodeOf(LEAF)))).toThrow('over the limit of 65')
  expect(() => readTrieProof(root, bytesOf(0x12), [`0x${'00'.repeat(2_000)}`])).toThrow('over the limit of 1024 bytes')
  expect(() => readTrieProof('0x12', bytesOf(0x12), [])).toThrow('has 1 bytes, not 32')
})

test('nodes inside each other end where the key does', () => {
  let node: RlpItem = [bytesOf(0x11), bytesOf(1)]
  for (let depth = 0; depth < 12; depth++) node = [bytesOf(0x11), node]
  expect(readTrieProof(hashOf(node), bytesOf(0x11), [nodeOf(node)])).toBeNull()
})
