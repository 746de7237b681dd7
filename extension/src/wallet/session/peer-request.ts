/** A peer's request, the context for validating it, and its error response. */
import { type Failure, RpcError, toFailure } from '@heliograph/shared/errors'
import { ValueError } from '@heliograph/shared/evm/value-error'
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import { keyOf } from '../requests/store.ts'
import { sessionOrigin } from '../sites/sites.ts'
import { report } from '../text/errors.ts'
import type { Abilities } from './namespaces.ts'
import type { PendingRequest } from './state.ts'

/** A peer's request. Its id is numeric, so ids can be ordered. */
export type PeerRequest = { id: RawId; method: string; params: unknown }

/** Returns the key of a peer's request in the wallet. */
export const requestKey = ({ topic, id }: Pick<PendingRequest, 'topic' | 'id'>): string =>
  keyOf(sessionOrigin(topic), id)

/** The context of a request. `now` is Unix time in ms. */
export type Facts = { now: number; abilities: Abilities }

/** Converts an exception to an error response. Unexpected exceptions are logged, and reveal nothing to the peer. */
export const errorFor = (thrown: unknown): Failure => {
  if (!(thrown instanceof RpcError || thrown instanceof ValueError)) report(thrown)
  return toFailure(thrown)
}
