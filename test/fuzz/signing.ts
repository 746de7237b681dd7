/** Building blocks of typed-data fixtures. */
import type { Random } from '../support/random.ts'
import type { Level } from './case.ts'
import type { Irregular } from './encode.ts'
import type { Data } from './permits.ts'
import type { Contracts, Family } from './probes.ts'
import type { Sent } from './world.ts'

/** `decoys` is the number of harmless items around the harmful one, in forms with several items. */
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
  /** Only the first account can sign it. */
  isOwners: boolean
  make(making: Making): Data
  /** The adversary's calls; none if the signature itself is the harm. */
  redeem(data: Data, signature: string, signer: string): readonly Sent[]
}

/** An order whose signature is the harm, because nothing of worth comes back. */
export const givenAway = (form: Pick<Signing, 'make'>): Signing => ({
  ...form,
  family: 'items',
  amount: 0n,
  least: 'danger',
  isOwners: false,
  redeem: () => [],
})
