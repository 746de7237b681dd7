/** Who asks, as a name in a list or a sentence: a site's own, or what a remote peer claims. */
import type { PeerView, RequestView } from '../messages.ts'
import { originLabel } from './origin.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'
import { formatShortDay } from './times.ts'

/** What a peer calls itself, at most 32 characters of it. */
export const peerName = ({ name }: Pick<PeerView, 'name'>): string =>
  name.trim() === '' ? text('unnamedApp') : cutName(name)

export const askerName = ({ origin, requester }: Pick<RequestView, 'origin' | 'requester'>): string =>
  requester ? peerName(requester) : originLabel(origin)

/** Sessions ask under names that no site can have, which are of no use to a person. */
export const isRemoteOrigin = (origin: string): boolean => origin.startsWith('wc:')

/** Why a peer of a session is not known: its name is its own claim. `since` is when it was paired, or null. */
export const pairedWhy = (since: number | null): string =>
  since === null ? text('nameGiven') : text('nameGivenPaired', formatShortDay(since))
