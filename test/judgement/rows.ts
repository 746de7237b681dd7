/** A row: a request in a world, the level that it must have, and the facts that its first line must state. */
import type { RiskLevel } from '../../extension/src/messages.ts'
import type { Chain } from '../../extension/src/wallet/networks/node.ts'
import type { Wallet } from '../../extension/src/wallet/wallet-parts.ts'
import type { Request } from './encode.ts'
import type { Changes } from './node.ts'

/** A real chain that a row starts. */
export type StartedChain = { chain: Chain; stop(): Promise<void> }

type Row = {
  name: string
  /** Texts that the first line must contain: amounts such as "100 USDC", and patterns. */
  says: readonly (string | RegExp)[]
  request: Request
  /** Differences from the usual world. */
  node?: Changes
  /** Prepares the wallet before the request. */
  prepare?(ui: Wallet['ui']): Promise<unknown>
  /** Starts a real chain that replaces the node. */
  start?(): Promise<StartedChain>
}

export type DangerousRow = Row & { atLeast: Extract<RiskLevel, 'caution' | 'danger'> }
export type EverydayRow = Row & { atMost: Extract<RiskLevel, 'none' | 'caution'> }

/** Matches the start of a party's address, or a statement that the party is unknown. */
export const unidentified = (address: string): RegExp =>
  new RegExp(`unknown|unidentified|never used|${address.slice(0, 6)}`, 'i')

export const EVERYTHING = /\b(?:all|everything|whole|entire)\b/i
export const FOR_NOTHING = /\bnothing\b/i
export const APES = /\bBAYC\b|Bored Ape/i
/** Matches one smallest unit of a token with 18 decimals. */
export const oneUnitOf = (symbol: string): RegExp => new RegExp(`(?<![\\d.])0\\.0{17}1 ${symbol}\\b|\\b1 wei\\b`)
