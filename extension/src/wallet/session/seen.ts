/**
 * Nothing that came before counts again. A relay may hand out a message twice, and one that means harm may do so at any
 * time: so the ids of requests are kept, and when the oldest are let go, no id below them is taken any more. Peers make
 * their ids of the time, so they rise.
 */
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Seen } from './state.ts'

export const MAX_HASHES = 200
export const MAX_IDS = 300

/** Half a SHA-256 is enough to tell messages apart. */
const HASH_BYTES = 16

const ID = /^\d{1,20}$/

export const NOTHING_SEEN: Seen = { hashes: [], ids: [], floor: '0' }

export const hashOf = (message: string): string => bytesToHex(sha256(utf8ToBytes(message)).slice(0, HASH_BYTES))

/** Whether an id is one that can be kept in order. */
export const isOrdered = (id: RawId): boolean => ID.test(id)

export const hasSeenHash = ({ hashes }: Seen, hash: string): boolean => hashes.includes(hash)
export const hasSeenId = ({ ids, floor }: Seen, id: RawId): boolean => ids.includes(id) || BigInt(id) <= BigInt(floor)

export const withHash = (seen: Seen, hash: string): Seen => ({
  ...seen,
  hashes: [...seen.hashes, hash].slice(-MAX_HASHES),
})

/** The ids stay those of the latest; what is let go raises the floor. */
export const withId = ({ hashes, ids, floor }: Seen, id: RawId): Seen => {
  const sorted = [...ids, id].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const dropped = sorted.slice(0, -MAX_IDS)
  return { hashes, ids: sorted.slice(-MAX_IDS), floor: dropped.at(-1) ?? floor }
}
