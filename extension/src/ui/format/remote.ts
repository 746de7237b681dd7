/** Words the names and states of remote peers, their sessions and relays. */
import type { PairingView, PeerView, RelayView, RemoteView, RequestView, SessionView } from '../../messages.ts'
import { isLoopback, originLabel } from './origin.ts'
import { text, wordLocale } from './text.ts'
import { cutName } from './text-safety.ts'
import { formatDistance, formatShortDay } from './times.ts'

/** Time after a peer's last message during which it counts as online, in ms. */
const PRESENT = 2 * 60_000
/** Remaining lifetime below which a session gets a warning, in ms. */
const ENDS_SOON = 24 * 60 * 60_000

/** Returns the name that a peer claims, cut to 32 characters. */
export const peerName = ({ name }: Pick<PeerView, 'name'>): string =>
  name.trim() === '' ? text('unnamedApp') : cutName(name)

/** Names the requester: a site by its origin, a remote peer by its claimed name. */
export const askerName = ({ origin, peer }: Pick<RequestView, 'origin' | 'peer'>): string =>
  peer ? peerName(peer) : originLabel(origin)

/**
 * Returns the reason for a peer's "Unknown" badge: the peer chose its name itself. `since` is the time of pairing, or
 * null.
 */
export const pairedWhy = (since: number | null): string =>
  since === null ? text('nameGiven') : text('nameGivenPaired', formatShortDay(since))

/** Returns the first `groups` groups of four hex digits of a key. */
export const keyGroups = (key: string, groups: number): string =>
  (key.toUpperCase().match(/.{1,4}/g) ?? []).slice(0, groups).join(' ')

/**
 * Returns the URL of the relay's own web page, without the query, which may contain a project id that is only for
 * connecting.
 */
export const relayPage = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol === 'wss:' ? 'https:' : 'http:'}//${host}${pathname}`
}

/** True if traffic to the relay can be observed: the relay is remote and the connection is not encrypted. */
export const isExposed = (url: string): boolean => url.startsWith('ws:') && !isLoopback(url)

/** True if the last connection failed, also during a retry. */
export const isOffline = (relay: RelayView): boolean => relay.error !== null

/** An unreachable relay that a session or a link needs, and the sessions that are waiting for it. */
export type LostRelay = { relay: RelayView; waiting: readonly SessionView[] }

export const lostRelays = ({ relays, sessions, pairings }: RemoteView): LostRelay[] =>
  relays
    .filter(relay => isOffline(relay) && [...sessions, ...pairings].some(one => one.relay === relay.url))
    .map(relay => ({ relay, waiting: sessions.filter(session => session.relay === relay.url) }))

/** Returns the preselected relay for a new link: the first reachable one, or the default. */
export const firstRelay = ({ relays }: RemoteView): string | undefined =>
  (relays.find(relay => !isOffline(relay)) ?? relays[0])?.url

/** Time within which an app on the same relay would have responded, in ms. */
const SILENCE = 10_000

/** True if a link has been waiting at a connected relay for at least `SILENCE` ms. */
export const isSilent = (pairing: PairingView, relay: RelayView | undefined, now: number): boolean =>
  relay?.phase === 'connected' && now - pairing.since >= SILENCE

/** Returns the configuration line that makes an app use a relay, without the query and its project id. */
export const relayLine = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  const path = pathname === '/' ? '' : pathname.replaceAll("'", '%27')
  return `relayUrl: '${protocol}//${host}${path}'`
}

/** Returns the relay's status, such as "Connected, 41 ms". */
export const relayStatus = (relay: RelayView): string => {
  if (isOffline(relay)) return text('relayOffline')
  if (relay.phase === 'idle') return text('relayIdle')
  if (relay.phase !== 'connected') return text('relayConnecting')
  return relay.latency === null ? text('relayConnected') : text('relayConnectedIn', relay.latency)
}

/** Returns the latency alone, such as "41 ms", or the status if the latency is unknown. */
export const relayBrief = (relay: RelayView): string => {
  if (isOffline(relay) || relay.latency === null) return relayStatus(relay)
  return new Intl.NumberFormat(wordLocale(), { style: 'unit', unit: 'millisecond' }).format(relay.latency)
}

export type Presence = 'online' | 'away' | 'unknown' | 'settling' | 'waiting'

/** Derives the peer's presence from its last message. Unknown without a connection to the relay. */
export const presenceOf = (session: SessionView, relay: RelayView | undefined, now: number): Presence => {
  if (relay && isOffline(relay)) return 'waiting'
  if (relay?.phase !== 'connected') return 'unknown'
  if (!session.isAcknowledged) return 'settling'
  return session.lastSeen !== null && now - session.lastSeen < PRESENT ? 'online' : 'away'
}

export const endsSoon = (expiresAt: number, now: number): boolean => expiresAt - now < ENDS_SOON

/** Formats the end of a session, such as "in 2 hr" or "25 Nov". */
export const formatEndTime = (expiresAt: number, now: number): string =>
  endsSoon(expiresAt, now) ? formatDistance(expiresAt, now) : formatShortDay(expiresAt)

/** Formats the end of a session as a sentence, such as "Ends in 2 hr" or "Ends 25 Nov". */
export const formatEnd = (expiresAt: number, now: number): string => text('endsWhen', formatEndTime(expiresAt, now))

/** Session lifetimes to choose from, in ms. Null is the default, which the peer may extend. */
export const LIFETIMES = { usual: null, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type Lifetime = keyof typeof LIFETIMES

export const endOf = (lifetime: Lifetime, now: number): { endsAt?: number } => {
  const length = LIFETIMES[lifetime]
  return length === null ? {} : { endsAt: now + length }
}

/** Formats a countdown such as "4 min 12 s", never below zero. */
export const formatLeft = (until: number, now: number): string => {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return seconds < 60 ? text('secondsLeft', seconds) : text('minutesLeft', Math.floor(seconds / 60), seconds % 60)
}
