/** Relays and remote sessions in words. */
import type { PairingView, RelayView, RemoteView, SessionView } from '../messages.ts'
import { isLoopback } from './origin.ts'
import { text, wordLocale } from './text.ts'
import { formatDistance, formatShortDay } from './times.ts'

/** A peer that was heard of in this time is taken to be there, in ms. */
export const PRESENT = 2 * 60_000
/** A session that ends within this time is worth a warning, in ms. */
export const ENDS_SOON = 24 * 60 * 60_000

/** Groups of four hex digits from the start of a key. */
export const keyGroups = (key: string, groups: number): string =>
  (key.toUpperCase().match(/.{1,4}/g) ?? []).slice(0, groups).join(' ')

/** The host of a relay, with its port. */
export const relayHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** The relay's own page. What the URL carries besides, as a project id, is for the wallet's connection alone. */
export const relayPage = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol === 'wss:' ? 'https:' : 'http:'}//${host}${pathname}`
}

/** Whether messages to the relay can be watched on their way: it is elsewhere, and the line is not encrypted. */
export const isExposed = (url: string): boolean => url.startsWith('ws:') && !isLoopback(url)

/** Lost, or lost before and tried again just now. */
export const isOffline = (relay: RelayView): boolean => relay.error !== null

/** A lost relay that a session or a link needs, and the sessions that wait for it. */
export type LostRelay = { relay: RelayView; waiting: readonly SessionView[] }

export const lostRelays = ({ relays, sessions, pairings }: RemoteView): LostRelay[] =>
  relays
    .filter(relay => isOffline(relay) && [...sessions, ...pairings].some(one => one.relay === relay.url))
    .map(relay => ({ relay, waiting: sessions.filter(session => session.relay === relay.url) }))

/** The relay that a new link is tried at first: the default one, unless it is lost and another is not. */
export const firstRelay = ({ relays }: RemoteView): string | undefined =>
  (relays.find(relay => !isOffline(relay)) ?? relays[0])?.url

/** When an app that shares the relay would have been heard of, in ms. */
export const SILENCE = 10_000

/** Whether a link waits at a relay that works, and no app has come there. */
export const isSilent = (pairing: PairingView, relay: RelayView | undefined, now: number): boolean =>
  relay?.phase === 'connected' && now - pairing.since >= SILENCE

/** The line that has an app use a relay. What the URL carries besides, as a project id, is for the wallet alone. */
export const relayLine = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  const path = pathname === '/' ? '' : pathname.replaceAll("'", '%27')
  return `relayUrl: '${protocol}//${host}${path}'`
}

/** "Connected, 41 ms". */
export const relayStatus = (relay: RelayView): string => {
  if (isOffline(relay)) return text('relayOffline')
  if (relay.phase === 'idle') return text('relayIdle')
  if (relay.phase !== 'connected') return text('relayConnecting')
  return relay.latency === null ? text('relayConnected') : text('relayConnectedIn', relay.latency)
}

/** "41 ms" while the relay is there, and else its whole status. */
export const relayBrief = (relay: RelayView): string => {
  if (isOffline(relay) || relay.latency === null) return relayStatus(relay)
  return new Intl.NumberFormat(wordLocale(), { style: 'unit', unit: 'millisecond' }).format(relay.latency)
}

export type Presence = 'online' | 'away' | 'unknown' | 'settling' | 'waiting'

/** What the wallet can say of a peer: when it was heard of last, as long as there is a line on which to hear. */
export const presenceOf = (session: SessionView, relay: RelayView | undefined, now: number): Presence => {
  if (relay && isOffline(relay)) return 'waiting'
  if (relay?.phase !== 'connected') return 'unknown'
  if (!session.isAcknowledged) return 'settling'
  return session.lastSeen !== null && now - session.lastSeen < PRESENT ? 'online' : 'away'
}

export const endsSoon = (expiresAt: number, now: number): boolean => expiresAt - now < ENDS_SOON

/** "in 2 hr", or "25 Nov". */
export const formatEndTime = (expiresAt: number, now: number): string =>
  endsSoon(expiresAt, now) ? formatDistance(expiresAt, now) : formatShortDay(expiresAt)

/** "Ends in 2 hr", or "Ends 25 Nov". */
export const formatEnd = (expiresAt: number, now: number): string => text('endsWhen', formatEndTime(expiresAt, now))

/** How long a session may last, by the choice of the person, in ms; null for the usual, which the peer may put off. */
export const LIFETIMES = { usual: null, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type Lifetime = keyof typeof LIFETIMES

export const endOf = (lifetime: Lifetime, now: number): { endsAt?: number } => {
  const length = LIFETIMES[lifetime]
  return length === null ? {} : { endsAt: now + length }
}

/** "4 min 12 s", for what ends soon; nothing below zero. */
export const formatLeft = (until: number, now: number): string => {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return seconds < 60 ? text('secondsLeft', seconds) : text('minutesLeft', Math.floor(seconds / 60), seconds % 60)
}
