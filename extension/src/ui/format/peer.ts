/** Names requesters in lists and sentences: a site by its origin, a remote peer by its claimed name. */
import type { PeerView, RequestView } from '../../messages.ts'
import { originLabel } from './origin.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'
import { formatShortDay } from './times.ts'

/** Returns the name that a peer claims, cut to 32 characters. */
export const peerName = ({ name }: Pick<PeerView, 'name'>): string =>
  name.trim() === '' ? text('unnamedApp') : cutName(name)

export const askerName = ({ origin, peer }: Pick<RequestView, 'origin' | 'peer'>): string =>
  peer ? peerName(peer) : originLabel(origin)

/**
 * Returns the reason for a peer's "Unknown" badge: the peer chose its name itself. `since` is the time of pairing, or
 * null.
 */
export const pairedWhy = (since: number | null): string =>
  since === null ? text('nameGiven') : text('nameGivenPaired', formatShortDay(since))
