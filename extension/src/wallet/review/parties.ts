/** Identifies the addresses in a request. */
import type { Act, AddressFacts, Effect, PartyKind, PartyView, PaymentView } from '../../messages.ts'
import type { ContractsOfNetwork } from '../networks/known-contracts.ts'
import { indexAddresses } from './lookalikes.ts'

/** The wallet's records of addresses. Accounts without a key are watched. */
export type AddressRecords = {
  accounts: readonly { address: string; name: string; hasKey: boolean }[]
  contacts: readonly { address: string; name: string }[]
  assets: readonly { address: string; symbol: string }[]
  used?: readonly { address: string; times: number }[] | undefined
  contracts: ContractsOfNetwork
}

export type PartyOf = (address: string) => PartyView

const IDENTIFIED: ReadonlySet<PartyKind> = new Set<PartyKind>(['own', 'contact', 'known', 'used', 'safe'])

/** True for a party that the user or the catalogue knows. */
export const isIdentified = ({ kind }: PartyView): boolean => IDENTIFIED.has(kind)

const NO_FACTS: AddressFacts = { withoutCode: [], withCode: [], delegated: [], safes: [] }

/** Returns a request's facts, which are empty if the node did not answer. */
export const factsIn = (effect: Effect): AddressFacts => ('facts' in effect && effect.facts) || NO_FACTS

const setOf = (addresses: readonly string[]) => new Set(addresses.map(address => address.toLowerCase()))

/** Identifies addresses from the wallet's records, the catalogue, and the node's facts, in this order. */
export const createPartyOf = (records: AddressRecords, facts: AddressFacts): PartyOf => {
  const { contracts } = records
  const accounts = indexAddresses(records.accounts)
  const contacts = indexAddresses(records.contacts)
  const assets = indexAddresses(records.assets)
  const used = indexAddresses(records.used ?? [])
  const safes = indexAddresses(facts.safes)
  const noCode = setOf([...facts.withoutCode, ...facts.delegated])
  const code = setOf(facts.withCode)

  const isOwnSafe = (address: string): boolean => {
    const safe = safes.find(address)
    return safe?.isOwner === true && contracts.get(safe.singleton.toLowerCase())?.role === 'safe-singleton'
  }

  return address => {
    const times = used.find(address)?.times ?? 0
    const named = (kind: PartyKind, name: string | null): PartyView => ({
      address,
      kind,
      name,
      ...(times > 0 && { times }),
    })
    const account = accounts.find(address)
    if (account?.hasKey) return named('own', account.name)
    const contact = contacts.find(address)
    if (contact) return named('contact', contact.name)
    const known = contracts.get(address.toLowerCase())
    if (known) return { ...named('known', known.protocol), what: known.what, role: known.role }
    if (times > 0) return named('used', account?.name ?? null)
    if (isOwnSafe(address)) return named('safe', null)
    if (account) return named('watched', account.name)
    const asset = assets.find(address)
    if (asset) return named('token', asset.symbol)
    if (noCode.has(address.toLowerCase())) return named('noCode', null)
    return named(code.has(address.toLowerCase()) ? 'contract' : 'unread', null)
  }
}

/** Returns the addresses that an act names, except for tokens. */
export const partiesOfAct = (act: Act): string[] => {
  switch (act.kind) {
    case 'transfer':
      return [act.from, act.to]
    case 'allow':
    case 'allowAll':
      return [act.spender]
    case 'order':
      return [...(act.others ?? []).map(({ to }) => to), ...(act.taker === undefined ? [] : [act.taker])]
    case 'control':
      return [act.of, ...(act.to === null ? [] : [act.to])]
    case 'gain':
      return [act.by, act.to]
    case 'call':
      return [act.contract, ...act.named]
  }
}

type Acting = { to?: string | null; contract?: string | null; acts: readonly Act[]; payments?: readonly PaymentView[] }

const actingIn = (effect: Effect): readonly Acting[] => {
  if (effect.kind === 'calls') return effect.calls
  return effect.kind === 'transaction' || effect.kind === 'typedData' ? [effect] : []
}

/** Maximum number of parties listed for a request. */
const MAX_PARTIES = 200

/** Returns a request's addresses without duplicates: called contracts, then the parties of payments and acts. */
export const partiesIn = (effect: Effect): string[] => {
  const simulation = 'simulation' in effect ? effect.simulation : undefined
  const all = actingIn(effect).flatMap(({ to, contract, acts, payments = [] }) => [
    ...[to, contract].flatMap(address => address ?? []),
    ...payments.flatMap(payment => [payment.from, payment.to]),
    ...acts.flatMap(partiesOfAct),
  ])
  const moved = (simulation?.changes ?? []).flatMap(({ parties = [] }) => parties)
  const distinct = new Map([...all, ...moved].filter(one => one !== '').map(one => [one.toLowerCase(), one]))
  return [...distinct.values()].slice(0, MAX_PARTIES)
}
