/** How many may be connected at once: in all, and from one address. */
import { type Address, type AddressRange, addressOf, clientBehind, countedAs } from './addresses.ts'
import { HttpError } from './http.ts'
import type { Refused } from './refusals.ts'

/**
 * Connections beyond the bound that are still heard: a client that is refused is told why, and /health is answered.
 * Those beyond that are closed at once.
 */
const HEARD = 100

/** Seconds after which one that was refused may try again. */
const RETRY_AFTER = '5'

/** What the sockets of one address share. */
export type Seat = { key: string; sockets: number }

export type AdmissionRules = {
  connections: number
  addressConnections: number
  /** Networks whose X-Forwarded-For is believed. */
  proxies: readonly AddressRange[]
}

/** Who asks for a socket: the bytes of the address it comes from, and X-Forwarded-For. */
export type Caller = { peer: ArrayBuffer; forwarded: string }

export type Admission = {
  /** A connection came. False if it is one too many, and to be closed. */
  arrive: () => boolean
  /** A connection, or the socket it became, has gone. */
  leave: () => void
  /** The seat of whoever asks for a socket. Throws HttpError 503 or 429 when there is none. */
  seatOf: (caller: Caller) => Seat
  sit: (seat: Seat) => void
  rise: (seat: Seat) => void
}

export const createAdmission = (rules: AdmissionRules, refused: Refused): Admission => {
  const { connections, addressConnections, proxies } = rules
  const seats = new Map<string, Seat>()
  let present = 0

  const refuse = (reason: 'connections' | 'address-connections', status: number, words: string): never => {
    refused(reason)
    throw new HttpError(status, `${words} (${reason})`, { 'Retry-After': RETRY_AFTER })
  }

  return {
    arrive: () => {
      present += 1
      if (present <= connections + HEARD) return true
      refused('connections')
      return false
    },
    leave: () => {
      present -= 1
    },
    seatOf: ({ peer, forwarded }) => {
      if (present > connections) refuse('connections', 503, `at most ${connections} connections`)
      const from: Address | undefined = addressOf(peer)
      const key = from === undefined ? '' : countedAs(clientBehind(from, forwarded, proxies))
      const seat = seats.get(key) ?? { key, sockets: 0 }
      if (seat.sockets >= addressConnections)
        refuse('address-connections', 429, `at most ${addressConnections} connections from one address`)
      return seat
    },
    sit: seat => {
      seat.sockets += 1
      seats.set(seat.key, seat)
    },
    rise: seat => {
      seat.sockets -= 1
      if (seat.sockets === 0) seats.delete(seat.key)
    },
  }
}
