/**
 * Replay protection. A relay may deliver a message twice, and a malicious relay may repeat a message at any time.
 * Request ids are remembered. When the oldest ids are dropped, all ids up to them are rejected from then on; this works
 * because peers derive ids from the time, so they increase.
 */
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import type { Seen } from './state.ts'

export const MAX_HASHES = 200
export const MAX_IDS = 300

const ID = /^\d{1,20}$/

export const NOTHING_SEEN: Seen = { hashes: [], ids: [], floor: '0' }

/** True if the id is a decimal integer, so ids can be ordered. */
export const isOrdered = (id: RawId): boolean => ID.test(id)

export const hasSeenHash = ({ hashes }: Seen, hash: string): boolean => hashes.includes(hash)
export const hasSeenId = ({ ids, floor }: Seen, id: RawId): boolean => ids.includes(id) || BigInt(id) <= BigInt(floor)

export const withHash = (seen: Seen, hash: string): Seen => ({
  ...seen,
  hashes: [...seen.hashes, hash].slice(-MAX_HASHES),
})

/** Adds an id and keeps the latest ids. Dropped ids raise the floor. */
export const withId = ({ hashes, ids, floor }: Seen, id: RawId): Seen => {
  const sorted = [...ids, id].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const dropped = sorted.slice(0, -MAX_IDS)
  return { hashes, ids: sorted.slice(-MAX_IDS), floor: dropped.at(-1) ?? floor }
}
