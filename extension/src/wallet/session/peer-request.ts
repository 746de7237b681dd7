/** A request of a peer, what the wallet judges it by, and the error with which it is refused. */
import { RpcError, type RpcErrorObject, toErrorObject } from '@heliograph/shared/errors'
import { ValueError } from '@heliograph/shared/evm/hex'
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import { report } from '../failures.ts'
import type { Abilities } from './namespaces.ts'

/** With an id that can be kept in order. */
export type PeerRequest = { id: RawId; method: string; params: unknown }

/** What the wallet is at the moment. `now` is in ms. */
export type Facts = { now: number; abilities: Abilities }

/** What nobody foresaw says nothing of itself. */
export const errorFor = (thrown: unknown): RpcErrorObject => {
  if (!(thrown instanceof RpcError || thrown instanceof ValueError)) report(thrown)
  return toErrorObject(thrown)
}
