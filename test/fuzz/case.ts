/** A fuzz case: a fixture request with mutations, and its effect once approved. */
import type { RiskLevel } from '../../extension/src/messages.ts'
import type { Random } from '../support/random.ts'
import type { Scene, Sent } from './world.ts'

/** The seed determines the mutation, so that it stays the same when other mutations are removed. */
export type Mutation = { name: string; seed: number }
export type Case = { kind: string; fixture: string; mutations: readonly Mutation[] }

/** Minimum level with which the wallet must show a fixture. */
export type Level = Extract<RiskLevel, 'caution' | 'danger' | 'blocked'>

/**
 * A request of a page. `chainId` is set if it differs from the page's, `origin` if the site differs from the connected
 * one. `token` is a contract that claims this symbol. `allowsForeignSignIn` is a setting of the wallet, true by
 * default.
 */
export type Request = {
  method: string
  params: readonly unknown[]
  chainId?: number
  origin?: string
  token?: { address: string; symbol: string }
  allowsForeignSignIn?: false
  /** Methods with which the node simulates transactions: none by default, all, or in `trace` only debug_traceCall. */
  node?: 'simulate' | 'trace'
}

/** Content of the approval window: risk level, names of findings, and the response if the request is approved. */
export type Shown = {
  level: RiskLevel
  findings: readonly string[]
  /** The calls that the approved transactions make. */
  sent: readonly (Sent & { from: string })[]
  /** Symbols of the transactions' tokens. Tokens whose symbol is not shown are left out. */
  symbols: readonly string[]
  /** Maximum gas cost of the transactions in wei. */
  fee: bigint
  /** The signature that the site gets. */
  signature: string | null
}

/** An adversary's gains by kind. Higher amounts are worse. */
export type Harm = Readonly<Record<string, bigint>>

/**
 * A request, the scene that shows its effect, and a function that derives the harm from the values of the scene's
 * probes.
 */
export type Subject = {
  request: Request
  sceneOf(shown: Shown): Scene | null
  harmOf(words: readonly bigint[], shown: Shown): Harm
}

/** One kind of request. */
export type Kind = {
  name: string
  fixtures: readonly string[]
  leastOf(fixture: string): Level
  /** Returns at least one mutation for a fixture, picked at random. */
  mutationsFor(fixture: string, random: Random): readonly Mutation[]
  build(one: Case): Subject
}

/** True if the first harm is at least as bad as the second in every respect. */
export const isAsBad = (harm: Harm, other: Harm): boolean =>
  Object.entries(other).every(([name, amount]) => (harm[name] ?? 0n) >= amount)

export const isHarmless = (harm: Harm): boolean => Object.values(harm).every(amount => amount === 0n)
