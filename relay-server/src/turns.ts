/** Work that costs memory while it lasts: each peer has one piece of it at a time, and none when it has gone. */
import { rpcError } from '@heliograph/shared/errors'
import type { Peer } from './delivery.ts'

/** Runs work when what the peer asked for before is done. Rejects with RpcError -32002 if the peer has gone by then. */
export const createTurns = () => {
  const last = new WeakMap<Peer, Promise<unknown>>()
  return <T>(peer: Peer, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(peer) ?? Promise.resolve()).then(() => {
      if (!peer.connection.isOpen) throw rpcError('resourceUnavailable', 'the connection is closed')
      return work()
    })
    last.set(
      peer,
      turn.catch(() => undefined),
    )
    return turn
  }
}
