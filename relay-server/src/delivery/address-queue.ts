/** Queues expensive work. Each address runs one task at a time, and tasks of closed connections are skipped. */
import { relayError } from '../reasons.ts'
import type { Peer } from './delivery.ts'

/** Returns the account of the peer's address, or the peer itself if the address is exempt from limits. */
const ownerOf = (peer: Peer): object => peer.payers[0] ?? peer

/**
 * Runs work after the earlier work of the same address. Rejects with RpcError -32002 if the connection has closed
 * by then.
 */
export const createAddressQueue = () => {
  const last = new WeakMap<object, Promise<unknown>>()
  return <T>(peer: Peer, work: () => Promise<T>): Promise<T> => {
    const owner = ownerOf(peer)
    const turn = (last.get(owner) ?? Promise.resolve()).then(() => {
      if (!peer.connection.isOpen) throw relayError('resourceUnavailable', 'connectionClosed')
      return work()
    })
    last.set(
      owner,
      turn.catch(() => undefined),
    )
    return turn
  }
}
