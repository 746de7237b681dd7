/**
 * Judges what leaves the account, what control is granted, and to whom. Each effect has a row in `TABLE`: its level
 * depends on its share of the account's holdings, and on who receives it.
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Act, Effect, Finding, FindingName, RiskLevel } from '../../messages.ts'
import { MAX_ALLOWANCES } from '../tokens/tokens.ts'
import { type Allowance, allowancesIn } from './allowances.ts'
import {
  type Asset,
  amountOf,
  assetKey,
  balanceOf,
  heldOf,
  isDust,
  isDustChange,
  isMost,
  numberOf,
  type Outgoing,
  outgoingOf,
  partsOf,
  totalsOf,
  unexplainedIn,
} from './effects.ts'
import { finding } from './findings.ts'
import { factsIn, isIdentified, type PartyOf } from './parties.ts'

/**
 * Standing of the receiving party. `identified`: an own account, contact, used party or known contract. `noCode`: an
 * address without code; for a holder of rights over tokens, it takes precedence over `identified`, except for own
 * accounts. A contract can claim to be one of the account's Safes. Such a contract is identified only for calls to it
 * and signatures for it, but not as a receiver.
 */
type Standing = 'identified' | 'unknown' | 'noCode'
type Verdict = readonly [RiskLevel, FindingName]
type Row = Readonly<Record<Standing, Verdict>>

const row = (identified: Verdict, unknown: Verdict, noCode: Verdict = unknown): Row => ({ identified, unknown, noCode })

const FINE = ['none', 'firstRecipient'] as const

/**
 * Verdicts by effect. `most` is 90 % or more of the account's holdings of the asset, `all` is unlimited. The rows for
 * coins, tokens and items apply only to sites' requests: on the wallet's own pages, the user has entered the recipient.
 */
export const TABLE = {
  coinsForCode: {
    some: row(FINE, ['caution', 'coinsToUnknown']),
    most: row(FINE, ['danger', 'mostOfAsset']),
  },
  coins: { some: row(FINE, ['caution', 'firstRecipient']), most: row(FINE, ['danger', 'mostOfAsset']) },
  tokens: { some: row(FINE, ['caution', 'firstRecipient']), most: row(FINE, ['danger', 'mostOfAsset']) },
  item: row(FINE, ['caution', 'firstRecipient']),
  allowance: {
    some: row(FINE, ['caution', 'unknownSpender'], ['danger', 'allowsNoCode']),
    most: row(FINE, ['danger', 'allowanceOfMost'], ['danger', 'allowsNoCode']),
    all: row(['caution', 'unlimitedAllowance'], ['danger', 'unlimitedAllowance'], ['danger', 'allowsNoCode']),
  },
  itemAllowance: row(FINE, ['danger', 'itemAllowance'], ['danger', 'allowsNoCode']),
  operator: row(['caution', 'approvalForAll'], ['danger', 'approvalForAll'], ['danger', 'allowsNoCode']),
  control: row(['caution', 'givesControl'], ['danger', 'givesControl']),
  delegation: row(['danger', 'handsOverAccount'], ['danger', 'handsOverAccount']),
  code: row(['caution', 'delegateCall'], ['danger', 'delegateCall']),
  gain: row(FINE, ['danger', 'gainElsewhere']),
  call: row(FINE, ['caution', 'unknownContract']),
  unreadableCall: row(FINE, ['caution', 'unknownCall']),
} as const

/** Divisor of an order's price: unidentified parties may get up to a tenth of it, for fees and royalties. */
const FEES = 10n

/**
 * Maximum number of addresses in unread data. If the data names more, the address that benefits could be hidden among
 * the others.
 */
const MAX_NAMED = 32

/** A request to judge. `bySite` is false for the wallet's own pages. */
export type Judged = { effect: Effect; account: string | null; partyOf: PartyOf; bySite: boolean }
type Of<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>

const found = (row: Row, standing: Standing, ...values: readonly unknown[]): Finding[] => {
  const [level, name] = row[standing]
  return level === 'none' ? [] : [finding(level, name, ...values)]
}

/** Roles of contracts that give something in return. */
const EXCHANGES: ReadonlySet<string> = new Set(['router', 'marketplace'])

export const judge = ({ effect, account, partyOf, bySite }: Judged): Finding[] => {
  if (account === null) return []
  const parts = partsOf(effect)
  const acts = parts.flatMap(part => part.acts)
  const tokens = parts.flatMap(part => part.tokens)
  const { withoutCode, delegated } = factsIn(effect)
  const noCode = new Set([...withoutCode, ...delegated].map(address => address.toLowerCase()))
  const lacksCode = (address: string) => noCode.has(address.toLowerCase())
  const isOf = (kind: string, address: string) => partyOf(address).kind === kind

  const simulation = 'simulation' in effect ? effect.simulation : undefined
  const changes = simulation?.changes ?? []
  const out = changes.filter(({ direction }) => direction === 'out')
  const back = changes.filter(({ direction }) => direction === 'in')
  const isDustBack = back.length > 0 && back.every(isDustChange)
  /** True if something leaves and nothing, or only dust, comes back. */
  const isGift = out.length > 0 && (back.length === 0 || isDustBack)
  const isGiftOfMost = isGift && out.some(({ amount, held }) => isMost(BigInt(amount), numberOf(held)))
  const crosses = acts.some(act => act.kind === 'gain' && act.chainId !== undefined)
  /** Recipients of transfers, which are judged separately. */
  const told = new Set(
    acts.flatMap(act => (act.kind === 'transfer' && !isOf('known', act.to) ? [act.to.toLowerCase()] : [])),
  )
  const isTold = out.every(({ parties = [] }) => parties.length > 0 && parties.every(to => told.has(to.toLowerCase())))

  const standingOf = (address: string): Standing => {
    const party = partyOf(address)
    // A contract can claim to be the account's Safe, and a multicall runs any call for anyone. So neither is
    // identified.
    if (isIdentified(party) && party.kind !== 'safe' && party.role !== 'multicall') return 'identified'
    return party.kind === 'noCode' ? 'noCode' : 'unknown'
  }
  const standingOfCalled = (address: string): Standing =>
    isIdentified(partyOf(address)) ? 'identified' : standingOf(address)
  const standingOfSpender = (address: string): Standing =>
    lacksCode(address) && !isOf('own', address) ? 'noCode' : standingOf(address)

  const isKnown = (address: string) => standingOf(address) === 'identified'
  const passesOn = (address: string) => isKnown(address) || partyOf(address).role === 'multicall'
  const others = outgoingOf(effect, account, passesOn).filter(({ to, kind }) =>
    kind === 'coinsForCode' ? !passesOn(to) : !isKnown(to),
  )
  const allowances = allowancesIn(acts, tokens)

  const sent = totalsOf(others)
  /** Amounts of each token that allowances let unidentified parties take. */
  const allowed = new Map<string, bigint>()
  for (const { token, spender, total, item } of allowances) {
    if (item !== null || standingOfSpender(spender) === 'identified') continue
    allowed.set(token.toLowerCase(), (allowed.get(token.toLowerCase()) ?? 0n) + (total ?? 0n))
  }
  /**
   * Returns how much of an asset unidentified parties get. The asset belongs to the account, or to a contract that acts
   * on its behalf.
   */
  const takenOf = (asset: Asset): bigint => {
    const token = sameAddress(asset.from, account) ? asset.token : null
    const more = token === null ? 0n : (allowed.get(token.toLowerCase()) ?? 0n)
    return more + (bySite ? (sent.get(assetKey(asset)) ?? 0n) : 0n)
  }

  /** Judges an outgoing asset. Amounts are added up per asset, so splitting does not hide the total. */
  const judgeOutgoing = (one: Outgoing): Finding[] => {
    if (one.id !== null) return found(TABLE.item, standingOf(one.to), one.to, one.token, one.amount)
    const share = isMost(takenOf(one), heldOf(effect, account, tokens, one)) ? 'most' : 'some'
    return found(TABLE[one.kind][share], standingOf(one.to), one.to, one.token ?? '', one.amount)
  }

  const judgeAllowance = ({ token, spender, total, item }: Allowance): Finding[] => {
    const standing = standingOfSpender(spender)
    if (item !== null) return found(TABLE.itemAllowance, standing, token, item, spender)
    const share = isMost(takenOf({ token, id: null, from: account }), balanceOf(tokens, token)) ? 'most' : 'some'
    return found(TABLE.allowance[total === null ? 'all' : share], standing, token, total ?? '', spender)
  }

  /** Judges how much of an order's price goes to unidentified parties, compared with what the account gets. */
  const judgeOthers = ({ gives, gets, others = [] }: Of<'order'>): Finding[] => {
    const strangers = others.filter(({ to, amount }) => amount !== '0' && standingOf(to) !== 'identified')
    return strangers.flatMap(stranger => {
      const taken = amountOf(stranger, strangers)
      // A fee in the token that the account gives comes out of the given amount, so it is compared with that amount.
      const own = amountOf(stranger, gets) + amountOf(stranger, gives)
      if (taken >= own) return [finding('danger', 'gainElsewhere', stranger.to)]
      const price = amountOf(stranger, gets) + amountOf(stranger, others)
      return taken * FEES > (price > own ? price : own) ? [finding('caution', 'gainElsewhere', stranger.to)] : []
    })
  }

  const judgeOrder = (order: Of<'order'>): Finding[] => {
    const gets = order.gets.filter(({ amount }) => amount !== '0')
    const others = judgeOthers(order)
    if (gets.length === 0) return [...others, finding('danger', 'emptyOrder')]
    return [...(gets.every(got => isDust(got, tokens)) ? [finding('danger', 'dustOrder')] : []), ...others]
  }

  const judgeControl = ({ right, of, to }: Of<'control'>): Finding[] => {
    // A right that is given to nobody, or to a key without an address, cannot be identified.
    const standing = to === null ? 'unknown' : standingOf(to)
    if (right === 'delegate') return found(TABLE.delegation, standing)
    if (right !== 'code') return found(TABLE.control, standing, right, to ?? '', of)
    // The canonical MultiSend contracts only run lists of calls, and each call is judged individually.
    return partyOf(to ?? '').role?.startsWith('safe-multisend') ? [] : found(TABLE.code, standing, to)
  }

  /**
   * True if the call is the token's own function, whose acts cover all its effects. An unlisted token can be any
   * contract, so a simulation must show that it moves what the acts say.
   */
  const isOfToken = (contract: string): boolean => {
    const own = acts.filter(act => 'token' in act && sameAddress(act.token, contract))
    if (isOf('token', contract)) return true
    if (own.length === 0 || effect.kind === 'typedData') return own.length > 0
    const moves = simulation?.changes?.some(({ token }) => token !== null && sameAddress(token, contract)) ?? false
    return simulation?.changes != null && (moves || own.every(({ kind }) => kind !== 'transfer'))
  }

  const judgeCall = ({ contract, readable, by }: Of<'call'>): Finding[] => {
    if (readable && (by !== undefined || isOfToken(contract))) return []
    return found(readable ? TABLE.call : TABLE.unreadableCall, standingOfCalled(contract), contract)
  }

  const judgeAct = (act: Act): Finding[] => {
    switch (act.kind) {
      case 'transfer':
        return sameAddress(act.to, act.token) ? [finding('danger', 'sentToToken', act.token)] : []
      case 'allow':
        return []
      case 'allowAll':
        return act.allowed ? found(TABLE.operator, standingOfSpender(act.spender), act.token, '', act.spender) : []
      case 'order':
        return judgeOrder(act)
      case 'control':
        return judgeControl(act)
      case 'gain':
        return sameAddress(act.to, act.by) ? [] : found(TABLE.gain, standingOf(act.to), act.to)
      case 'call':
        return judgeCall(act)
    }
  }

  /** Judges the contract that a signature is for, unless it is the token that the signature concerns. */
  const judgeVerifier = (): Finding[] => {
    if (effect.kind !== 'typedData' || effect.form === null || effect.form === 'calm') return []
    const contract = effect.contract ?? ''
    if (contract === '') return [finding('caution', 'movesTokens')]
    return isOfToken(contract) ? [] : found(TABLE.call, standingOfCalled(contract), contract)
  }

  const calls = acts.filter(act => act.kind === 'call')
  const isUnread = calls.some(({ readable }) => !readable)

  const judgeSimulation = (): Finding[] => {
    if (!simulation) return []
    // A contract's code also runs when it receives coins or is created, so such contracts count like called ones.
    const paid = parts.flatMap(({ to, hasCode }) => to ?? (hasCode ? [''] : []))
    const run = [...calls.map(({ contract }) => contract), ...paid]
    if (run.every(isKnown)) return []
    return [
      ...(simulation.differs ? [finding('danger', 'behavesDifferently')] : []),
      ...(unexplainedIn(effect, account).length > 0 ? [finding('danger', 'unexplainedLoss')] : []),
    ]
  }

  /**
   * Judges who may receive assets if nothing comes back: an address named in an unread call, or anyone who is the first
   * to withdraw what the call leaves in a router. A bridge is exempt, because it pays on another network, where other
   * addresses have code.
   */
  const judgeGift = (): Finding[] => {
    const named = calls.flatMap(call => call.named)
    const stranger = named.find(address => standingOf(address) === 'noCode') ?? named.slice(MAX_NAMED)[0]
    const isBridge = calls.some(({ contract }) => partyOf(contract).role === 'bridge')
    const router = calls.find(({ contract }) => partyOf(contract).role === 'router')
    const taker = stranger !== undefined && !isBridge ? stranger : crosses || isTold ? undefined : router?.contract
    if (isGift && taker !== undefined) return [finding(isGiftOfMost ? 'danger' : 'caution', 'gainElsewhere', taker)]
    const isBlind = effect.kind === 'typedData' || stranger !== undefined || isGiftOfMost
    return isUnread && isBlind ? [finding('caution', 'unknownCall')] : []
  }

  /** Judges an exchange that gives only dust in return. */
  const judgeDust = (): Finding[] => {
    const isExchange = calls.some(({ contract }) => EXCHANGES.has(partyOf(contract).role ?? ''))
    return isDustBack && out.some(change => !isDustChange(change)) && isExchange ? [finding('danger', 'dustOrder')] : []
  }

  /** Judges marketplace orders that only the marketplace can read. */
  const judgeMarket = (): Finding[] =>
    calls.some(({ contract, readable }) => !readable && partyOf(contract).role === 'marketplace')
      ? [finding('caution', 'unknownCall')]
      : []

  return [
    ...(bySite ? others.flatMap(judgeOutgoing) : []),
    ...allowances.flatMap(judgeAllowance),
    ...(allowances.length > MAX_ALLOWANCES ? [finding('danger', 'tooManyAllowances')] : []),
    ...acts.flatMap(judgeAct),
    ...judgeVerifier(),
    ...judgeSimulation(),
    ...judgeGift(),
    ...judgeDust(),
    ...judgeMarket(),
  ]
}
