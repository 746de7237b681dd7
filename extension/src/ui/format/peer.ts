/** The name of a requester in a list or a sentence: a site's origin, or the name that a remote peer claims. */
import type { PeerView, RequestView } from '../../messages.ts'
import { originLabel } from './origin.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'
import { formatShortDay } from './times.ts'

/** The name that a peer claims, cut to 32 characters. */
export const peerName = ({ name }: Pick<PeerView, 'name'>): string =>
  name.trim() === '' ? text('unnamedApp') : cutName(name)

export const askerName = ({ origin, peer }: Pick<RequestView, 'origin' | 'peer'>): string =>
  peer ? peerName(peer) : originLabel(origin)

/** The reason for a peer's "Unknown" badge: it chose its name itself. `since` is the time of pairing, or null. */
export const pairedWhy = (since: number | null): string =>
  since === null ? text('nameGiven') : text('nameGivenPaired', formatShortDay(since))
