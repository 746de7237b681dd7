/** Work that costs memory and time while it lasts: each address has one piece of it at a time, and none for who has gone. */
import { rpcError } from '@heliograph/shared/errors'
import type { Peer } from './delivery.ts'

/** The account of its address; itself if that is exempt. */
const ownerOf = (peer: Peer): object => peer.payers[0] ?? peer

/**
 * Runs work when what was asked for before from the same address is done. Rejects with RpcError -32002 if the peer has gone
 * by then.
 */
export const createTurns = () => {
  const last = new WeakMap<object, Promise<unknown>>()
  return <T>(peer: Peer, work: () => Promise<T>): Promise<T> => {
    const owner = ownerOf(peer)
    const turn = (last.get(owner) ?? Promise.resolve()).then(() => {
      if (!peer.connection.isOpen) throw rpcError('resourceUnavailable', 'the connection is closed')
      return work()
    })
    last.set(
      owner,
      turn.catch(() => undefined),
    )
    return turn
  }
}
