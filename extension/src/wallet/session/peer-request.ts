/** A peer's request, the context of its validation, and its error response. */
import { type Failure, RpcError, toFailure } from '@heliograph/shared/errors'
import { ValueError } from '@heliograph/shared/evm/value-error'
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import { keyOf } from '../requests/store.ts'
import { sessionOrigin } from '../sites/requester.ts'
import { report } from '../work/failures.ts'
import type { Abilities } from './namespaces.ts'
import type { PendingRequest } from './state.ts'

/** The id is numeric, so that ids can be ordered. */
export type PeerRequest = { id: RawId; method: string; params: unknown }

/** Identifies a peer's request in the wallet. */
export const requestKey = ({ topic, id }: Pick<PendingRequest, 'topic' | 'id'>): string =>
  keyOf(sessionOrigin(topic), id)

/** The wallet's current state. `now` is in ms. */
export type Facts = { now: number; abilities: Abilities }

/** Converts an exception to an error response. Unexpected exceptions are reported, and reveal nothing to the peer. */
export const errorFor = (thrown: unknown): Failure => {
  if (!(thrown instanceof RpcError || thrown instanceof ValueError)) report(thrown)
  return toFailure(thrown)
}
