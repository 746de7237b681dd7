/** Compares a request's site, recipients, spenders and tokens with the wallet's own records. */
import type { Act, ContactView, Effect, Finding, PartyView, TokenView, ValueView } from '../../messages.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import { finding, worstOfEach } from './findings.ts'
import { judge } from './judge.ts'
import { findImitated, indexAddresses, type KnownSite } from './lookalikes.ts'
import { type AddressRecords, createPartyOf, factsIn, type PartyOf, partiesIn } from './parties.ts'
import { reviewSymbol } from './symbols.ts'

/**
 * The wallet's records. `used` lists the addresses to which it has sent or which it has called, and how often; absent
 * if there is no activity record.
 */
export type Known = Omit<AddressRecords, 'contacts'> & {
  registrableDomain: RegistrableDomain
  /** Symbols that tokens may imitate, in addition to the symbols of the user's listed tokens. */
  currencies: readonly string[]
  contacts: readonly ContactView[]
  sites: readonly KnownSite[]
  /** Names of missing stored records: another program deleted or changed them, or they cannot be read. */
  missing?: readonly string[]
}

/** A request for `account`. `origin` is null for the wallet's own pages, where the user enters the recipient. */
export type Asked = { origin: string | null; since: number | null; effect: Effect; account: string | null }

/**
 * Maximum number of a request's addresses that are compared with known ones, in addition to recipients and spenders.
 */
const MAX_ADDRESSES = 64

const reviewSite = ({ origin, since }: Asked, { sites, registrableDomain }: Known): Finding[] => {
  if (origin === null) return []
  const imitated = findImitated(origin, since, sites, registrableDomain)
  return imitated ? [finding('danger', 'imitatedSite', imitated.shown, imitated.known, imitated.since)] : []
}

const addressesIn = ({ type, value }: ValueView): string[] => {
  if (typeof value !== 'string') return value.flatMap(addressesIn)
  return type === 'address' ? [value] : []
}

/** Returns all addresses in a request. */
const namedIn = (effect: Effect): string[] => {
  if (effect.kind === 'typedData') return [...effect.domain, effect.message].flatMap(addressesIn)
  if (effect.kind === 'calls') return effect.calls.flatMap(namedIn)
  if (effect.kind === 'watchAsset') return [effect.address]
  if (effect.kind !== 'transaction') return []
  return [...(effect.to === null ? [] : [effect.to]), ...(effect.call?.args ?? []).flatMap(addressesIn)]
}

const actsOf = (effect: Effect): readonly Act[] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(({ acts }) => acts)
  return 'acts' in effect ? effect.acts : []
}

/** Returns the recipients of native currency or tokens. */
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

/** Returns the spenders of new allowances. */
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
  if (own?.hasKey) return [finding('none', 'ownRecipient', own.name)]
  const contact = known.contacts.find(address)
  const named = contact ? [finding('none', 'knownContact', contact.name)] : []
  const times = timesUsed(known, address)
  if (times > 0) return [...named, finding('none', 'sentBefore', times)]
  // A contact is not reported as a new recipient, even if nothing was sent to it yet.
  return known.isRecorded && !contact ? [finding('none', 'firstRecipient')] : named
}

/**
 * Reports an address that looks like another known address. A contact or a used address can be the imitation, added
 * from a file or by a careless transfer, so it is compared with the accounts and the other contacts.
 */
const reviewLookalike = (address: string, { accounts, contacts, used }: Indexed): Finding[] => {
  if (accounts.find(address)?.hasKey) return []
  const isKnown = contacts.find(address) !== undefined || used.find(address) !== undefined
  const like =
    accounts.findLookalike(address) ??
    contacts.findLookalike(address) ??
    (isKnown ? undefined : used.findLookalike(address))
  return like ? [finding('danger', 'lookalikeAddress', address, like.address, like.name)] : []
}

/** Returns the findings about an address that the user enters as a recipient. */
export const reviewAddress = (address: string, known: Known): Finding[] => {
  const indexed = indexKnown(known)
  const missing = reviewMissing(known.missing?.filter(name => name !== 'assets'))
  return [...reviewLookalike(address, indexed), ...missing, ...reviewRecipient(address, indexed)]
}

/**
 * Findings for missing lists, by the name of the list's record. A request's addresses and tokens are compared with
 * these lists.
 */
const LISTS = { contacts: 'contactsMissing', activity: 'activityMissing', assets: 'assetsMissing' } as const

/** Kinds of requests whose addresses and tokens are compared. */
const COMPARED: ReadonlySet<Effect['kind']> = new Set(['message', 'typedData', 'transaction', 'calls', 'watchAsset'])

/**
 * Reports missing lists. Without a list, imitations of its entries are not recognized, which must not look like a
 * passed check.
 */
const reviewMissing = (missing: readonly string[] = []): Finding[] =>
  Object.entries(LISTS).flatMap(([name, told]) => (missing.includes(name) ? [finding('caution', told)] : []))

const tokensOf = (effect: Effect): readonly TokenView[] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(({ tokens }) => tokens)
  return 'tokens' in effect ? effect.tokens : []
}

const reviewToken = (effect: Effect): Finding[] =>
  tokensOf(effect)
    .filter(({ listed }) => listed)
    .map(({ symbol }) => finding('none', 'listedToken', symbol))

/**
 * Returns all tokens that are shown with their symbols: those in the request, and those that move in its simulation.
 */
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

/** Reports the catalogue's contracts that a request calls, by name. */
const reviewContracts = (effect: Effect, partyOf: PartyOf): Finding[] =>
  partiesIn(effect).flatMap(address => {
    const { kind, name, what } = partyOf(address)
    return kind === 'known' ? [finding('none', 'knownContract', name, what)] : []
  })

export type Reviewed = { findings: readonly Finding[]; parties: readonly PartyView[] }

/** Reviews a request against the wallet's records, and identifies its addresses. */
export const reviewKnown = (asked: Asked, known: Known): Reviewed => {
  const { effect, account, origin } = asked
  const recipients = recipientsOf(effect)
  const indexed = indexKnown(known)
  const partyOf = createPartyOf(known, factsIn(effect))
  // Recipients and spenders come first, so they are compared even if there are more addresses than the limit.
  const named = [...recipients, ...spendersOf(effect), ...distinct(namedIn(effect)).slice(0, MAX_ADDRESSES)]
  const findings = worstOfEach([
    ...reviewSite(asked, known),
    ...(COMPARED.has(effect.kind) ? reviewMissing(known.missing) : []),
    ...distinct(named).flatMap(address => reviewLookalike(address, indexed)),
    ...judge({ effect, account, partyOf, bySite: origin !== null }),
    ...distinct(recipients).flatMap(address => reviewRecipient(address, indexed)),
    ...reviewSymbols(effect, known),
    ...reviewToken(effect),
    ...reviewContracts(effect, partyOf),
  ])
  return { findings, parties: partiesIn(effect).map(partyOf) }
}
