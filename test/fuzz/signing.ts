/** Types and helpers of typed-data fixtures. */
import type { Random } from '../support/random.ts'
import type { Level } from './case.ts'
import type { Irregular } from './encode.ts'
import type { Data } from './permits.ts'
import type { Contracts, Family } from './probes.ts'
import type { Sent } from './world.ts'

/**
 * Parameters of a fixture. `decoys` is the number of harmless items around the harmful one, for types with several
 * items.
 */
export type Making = Contracts & {
  signer: string
  amount: bigint
  decoys: number | null
  irregular: Irregular
  random: Random
}
export type Signing = {
  family: Family
  amount: bigint
  least: Level
  /** True if only the first account can sign it. */
  isOwners: boolean
  make(making: Making): Data
  /** Returns the adversary's calls that use the signature; none if the signature itself is the harm. */
  redeem(data: Data, signature: string, signer: string): readonly Sent[]
}

/** Returns an order whose signature is the harm, because the signer gets nothing of value. */
export const givenAway = (form: Pick<Signing, 'make'>): Signing => ({
  ...form,
  family: 'items',
  amount: 0n,
  least: 'danger',
  isOwners: false,
  redeem: () => [],
})
