/** A fuzz case: a mutated fixture request, and its effect once approved. */
import type { RiskLevel } from '../../extension/src/messages.ts'
import type { Random } from '../support/random.ts'
import type { Scene, Sent } from './world.ts'

/** The seed determines the mutation, so that it is the same when others are left out. */
export type Mutation = { name: string; seed: number }
export type Case = { kind: string; fixture: string; mutations: readonly Mutation[] }

/** Minimum level at which a fixture must be shown. */
export type Level = Extract<RiskLevel, 'caution' | 'danger' | 'blocked'>

/**
 * A request of a page. `chainId` is set for another network than the page's, `origin` for another site than the
 * connected one. `token` is a contract with a claimed symbol. `allowsForeignSignIn` is a setting of the wallet, true by
 * default.
 */
export type Request = {
  method: string
  params: readonly unknown[]
  chainId?: number
  origin?: string
  token?: { address: string; symbol: string }
  allowsForeignSignIn?: false
  /** How the node simulates transactions: not at all by default, or with its own methods, of which `trace` omits one. */
  node?: 'simulate' | 'trace'
}

/** Content of the approval window: risk level, finding names, and the response if approved. */
export type Shown = {
  level: RiskLevel
  findings: readonly string[]
  /** The calls that the approved transactions make. */
  sent: readonly (Sent & { from: string })[]
  /** Symbols of the tokens that transactions are about. Tokens whose symbol is not shown are left out. */
  symbols: readonly string[]
  /** Maximum gas cost of the transactions in wei. */
  fee: bigint
  /** The signature that the site gets. */
  signature: string | null
}

/** An adversary's gain by kind. Higher is worse. */
export type Harm = Readonly<Record<string, bigint>>

/** A request, the scene that shows its effect, and the harm shown by the values of the scene's probes. */
export type Subject = {
  request: Request
  sceneOf(shown: Shown): Scene | null
  harmOf(words: readonly bigint[], shown: Shown): Harm
}

/** One kind of requests. */
export type Kind = {
  name: string
  fixtures: readonly string[]
  leastOf(fixture: string): Level
  /** Mutations for a fixture, picked at random; at least one. */
  mutationsFor(fixture: string, random: Random): readonly Mutation[]
  build(one: Case): Subject
}

/** True if the first is at least as bad as the second in every respect. */
export const isAsBad = (harm: Harm, other: Harm): boolean =>
  Object.entries(other).every(([name, amount]) => (harm[name] ?? 0n) >= amount)

export const isHarmless = (harm: Harm): boolean => Object.values(harm).every(amount => amount === 0n)
