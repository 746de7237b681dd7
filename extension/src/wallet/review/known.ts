/** Compares the site, recipients, spenders and tokens of a request with the wallet's own records. */
import type {
  ContactView,
  Effect,
  Finding,
  FindingName,
  RiskLevel,
  TokenAct,
  TokenView,
  ValueView,
} from '../../messages.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import { findImitated, indexAddresses, type KnownAddresses, type KnownSite } from './lookalikes.ts'
import { reviewSymbol } from './symbols.ts'

/**
 * The wallet's records. `used` lists addresses that it has sent to or called, and how often; absent without an activity
 * record.
 */
export type Known = {
  registrableDomain: RegistrableDomain
  /** The person's listed tokens. Other tokens may imitate their symbols, or those of `currencies`. */
  assets: readonly { address: string; symbol: string }[]
  currencies: readonly string[]
  accounts: readonly { address: string; name: string }[]
  contacts: readonly ContactView[]
  sites: readonly KnownSite[]
  used?: readonly { address: string; times: number }[]
}

export type Asked = { origin: string; since: number | null; effect: Effect }

/** Maximum number of addresses of a request that are compared with known ones, besides recipients and spenders. */
const MAX_ADDRESSES = 64

const finding = (level: RiskLevel, name: FindingName, ...values: readonly unknown[]): Finding => ({
  level,
  name,
  values: values.map(String),
})

const reviewSite = ({ origin, since }: Asked, { sites, registrableDomain }: Known): Finding[] => {
  const imitated = findImitated(origin, since, sites, registrableDomain)
  return imitated ? [finding('danger', 'imitatedSite', imitated.shown, imitated.known, imitated.since)] : []
}

const addressesIn = ({ type, value }: ValueView): string[] => {
  if (typeof value !== 'string') return value.flatMap(addressesIn)
  return type === 'address' ? [value] : []
}

/** All addresses in a request. */
const namedIn = (effect: Effect): string[] => {
  if (effect.kind === 'typedData') return [...effect.domain, effect.message].flatMap(addressesIn)
  if (effect.kind === 'calls') return effect.calls.flatMap(namedIn)
  if (effect.kind === 'watchAsset') return [effect.address]
  if (effect.kind !== 'transaction') return []
  return [...(effect.to === null ? [] : [effect.to]), ...(effect.call?.args ?? []).flatMap(addressesIn)]
}

const actsOf = (effect: Effect): readonly TokenAct[] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(({ acts }) => acts)
  return 'acts' in effect ? effect.acts : []
}

/** The recipients of native currency or tokens. */
const recipientsOf = (effect: Effect): string[] => {
  const ofTokens = actsOf(effect).flatMap(act => (act.kind === 'transfer' ? [act.to] : []))
  const within = (effect.kind === 'calls' ? effect.calls : [effect]).flatMap(call =>
    'payments' in call ? (call.payments ?? []).map(({ to }) => to) : [],
  )
  const ofCoins = (effect.kind === 'calls' ? effect.calls : [effect]).flatMap(call =>
    call.kind === 'transaction' && call.to !== null && call.data === '0x' ? [call.to] : [],
  )
  return [...ofCoins, ...within, ...ofTokens]
}

/** The spenders of new allowances. */
const spendersOf = (effect: Effect): string[] =>
  actsOf(effect).flatMap(act => (act.kind === 'allow' || act.kind === 'allowAll' ? [act.spender] : []))

const distinct = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map(address => [address.toLowerCase(), address])).values(),
]

const indexKnown = ({ accounts, contacts, used }: Known) => ({
  accounts: indexAddresses(accounts),
  contacts: indexAddresses(contacts),
  used: indexAddresses((used ?? []).map(one => ({ ...one, name: '' }))),
  isRecorded: used !== undefined,
})
type Indexed = ReturnType<typeof indexKnown>

const timesUsed = ({ used }: Indexed, address: string) => used.find(address)?.times ?? 0

const reviewRecipient = (address: string, known: Indexed): Finding[] => {
  const own = known.accounts.find(address)
  if (own) return [finding('none', 'ownRecipient', own.name)]
  const contact = known.contacts.find(address)
  const named = contact ? [finding('none', 'knownContact', contact.name)] : []
  const times = timesUsed(known, address)
  if (times > 0) return [...named, finding('none', 'sentBefore', times)]
  // A contact is not reported as a new recipient, even if nothing was sent to it yet.
  return known.isRecorded && !contact ? [finding('none', 'firstRecipient')] : named
}

/**
 * An address that looks like a known one and is another. A contact or an address that was used can be the imitation, which a file
 * or a careless transfer brought in, so it is compared with the accounts and the other contacts.
 */
const reviewLookalike = (address: string, { accounts, contacts, used }: Indexed): Finding[] => {
  if (accounts.find(address)) return []
  const isKnown = contacts.find(address) !== undefined || used.find(address) !== undefined
  const like =
    accounts.findLookalike(address) ??
    contacts.findLookalike(address) ??
    (isKnown ? undefined : used.findLookalike(address))
  return like ? [finding('danger', 'lookalikeAddress', address, like.address, like.name)] : []
}

/** Findings about an address that is entered as a recipient. */
export const reviewAddress = (address: string, known: Known): Finding[] => {
  const indexed = indexKnown(known)
  return [...reviewLookalike(address, indexed), ...reviewRecipient(address, indexed)]
}

/** Only an amount of a token with decimals can be zero; for a collection, 0 is a token id. */
const isRevocation = ({ token, amount }: TokenAct & { kind: 'allow' }, tokens: KnownAddresses<TokenView>): boolean => {
  const decimals = tokens.find(token)?.decimals ?? 0
  return amount === '0' && decimals > 0
}

/** A limited allowance for a spender that the wallet has never used. Unlimited ones have a finding of their own. */
const reviewSpender = (act: TokenAct, tokens: KnownAddresses<TokenView>, known: Indexed): Finding[] => {
  if (act.kind !== 'allow' || act.amount === null || isRevocation(act, tokens)) return []
  return timesUsed(known, act.spender) > 0 ? [] : [finding('caution', 'unknownSpender', act.token, act.amount)]
}

const tokensOf = (effect: Effect): readonly TokenView[] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(({ tokens }) => tokens)
  return 'tokens' in effect ? effect.tokens : []
}

const reviewToken = (effect: Effect): Finding[] =>
  tokensOf(effect)
    .filter(({ listed }) => listed)
    .map(({ symbol }) => finding('none', 'listedToken', symbol))

/** All tokens that are shown with their symbols: those in the request, and those that move in its simulation. */
const symbolsIn = (effect: Effect): { address: string; symbol: string }[] => {
  const changes = 'simulation' in effect ? (effect.simulation?.changes ?? []) : []
  const moved = changes.map(({ token, symbol }) => ({ address: token, symbol }))
  return [...tokensOf(effect), ...moved].flatMap(({ address, symbol }) =>
    address === null || symbol === null ? [] : [{ address, symbol }],
  )
}

const reviewSymbols = (effect: Effect, { assets, currencies }: Known): Finding[] => {
  const listed = indexAddresses(assets)
  const symbols = assets.map(({ symbol }) => symbol)
  return symbolsIn(effect).flatMap(({ address, symbol }) =>
    listed.find(address) ? [] : reviewSymbol(symbol, symbols, currencies),
  )
}

/** Keeps the first finding of each name. */
const withoutRepeats = (findings: readonly Finding[]): Finding[] =>
  [...new Map(findings.toReversed().map(found => [found.name, found])).values()].toReversed()

/** Reviews a request against the wallet's records. */
export const reviewKnown = (asked: Asked, known: Known): Finding[] => {
  const { effect } = asked
  // Typed data with an allowance has findings of its own, so unknown spenders are reported for transactions only.
  const allowances = effect.kind === 'typedData' ? [] : actsOf(effect)
  const recipients = recipientsOf(effect)
  const indexed = indexKnown(known)
  const tokens = indexAddresses(tokensOf(effect))
  // Recipients and spenders come first, so that no number of other addresses can push them out of the limit.
  const named = [...recipients, ...spendersOf(effect), ...distinct(namedIn(effect)).slice(0, MAX_ADDRESSES)]
  return withoutRepeats([
    ...reviewSite(asked, known),
    ...distinct(named).flatMap(address => reviewLookalike(address, indexed)),
    ...distinct(recipients).flatMap(address => reviewRecipient(address, indexed)),
    ...allowances.flatMap(act => reviewSpender(act, tokens, indexed)),
    ...reviewSymbols(effect, known),
    ...reviewToken(effect),
  ])
}
