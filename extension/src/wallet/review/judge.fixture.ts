/** Judges effects with records in which nobody is known. */
import type { Act, CallsEffect, Effect, RiskLevel, TokenView, TransactionEffect } from '../../messages.ts'
import type { KnownContract } from '../networks/known-contracts.ts'
import { registrableDomain } from '../sites/registrable-domain.fixture.ts'
import { ADDRESS } from '../wallet.fixture.ts'
import { type Asked, type Known, reviewKnown } from './known.ts'

export const SITE = 'https://site.example'

export const KNOWS_NOBODY: Known = {
  accounts: [{ address: ADDRESS, name: 'Trading', hasKey: true }],
  contacts: [],
  sites: [],
  assets: [],
  currencies: [],
  contracts: new Map(),
  registrableDomain,
}

/** Creates a catalogue for one network. */
export const catalogue = (...contracts: readonly (Pick<KnownContract, 'address'> & Partial<KnownContract>)[]) =>
  new Map(
    contracts.map(contract => [
      contract.address.toLowerCase(),
      { protocol: 'Harbor', what: 'vault', role: 'pool', ...contract },
    ]),
  )

/** Creates a transaction that sends nothing, without a recipient. */
export const transactionOf = (more: Partial<TransactionEffect> = {}): TransactionEffect => ({
  kind: 'transaction',
  broadcast: true,
  to: null,
  value: '0x0',
  data: '0x',
  nonce: null,
  call: null,
  acts: [],
  tokens: [],
  limit: null,
  fee: null,
  ...more,
})

export const callsOf = (calls: readonly TransactionEffect[], more: Partial<CallsEffect> = {}): CallsEffect => ({
  kind: 'calls',
  calls,
  fee: null,
  ...more,
})

export type TypedEffect = Extract<Effect, { kind: 'typedData' }>

export const typedOf = (more: Partial<TypedEffect> = {}): TypedEffect => ({
  kind: 'typedData',
  domain: [],
  primaryType: 'Permit',
  message: { name: 'Permit', type: 'Permit', value: [] },
  json: '{}',
  form: 'permit',
  acts: [],
  tokens: [],
  ...more,
})

/** Creates a request with these acts. */
export const actsOf = (...acts: readonly Act[]): TransactionEffect => transactionOf({ acts })

export const tokenOf = (address: string, more: Partial<TokenView> = {}): TokenView => ({
  address,
  symbol: 'USDC',
  decimals: 6,
  balance: null,
  listed: false,
  ...more,
})

/** Differences from a site's request for the test account. */
export type Circumstances = Partial<Omit<Asked, 'effect'>> & { known?: Partial<Known> }

const reviewedIn = (effect: Effect, { known, ...asked }: Circumstances) =>
  reviewKnown({ origin: SITE, since: null, account: ADDRESS, ...asked, effect }, { ...KNOWS_NOBODY, ...known })

/** Returns the findings above level `none`, as "level name". */
export const judged = (effect: Effect, circumstances: Circumstances = {}): string[] =>
  reviewedIn(effect, circumstances)
    .findings.filter(({ level }) => level !== 'none')
    .map(({ level, name }) => `${level} ${name}`)

const LEVELS = ['none', 'caution', 'danger', 'blocked'] as const

/** Returns a level's rank, for comparisons. */
export const rankOf = (level: RiskLevel): number => LEVELS.indexOf(level)

export const worstOf = (levels: readonly RiskLevel[]): RiskLevel =>
  LEVELS.findLast(level => levels.includes(level)) ?? 'none'

/** Returns the highest level of all findings. */
export const levelOf = (effect: Effect, circumstances: Circumstances = {}): RiskLevel =>
  worstOf(reviewedIn(effect, circumstances).findings.map(({ level }) => level))
