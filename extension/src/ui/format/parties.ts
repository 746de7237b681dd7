/** Names the parties of a request in a sentence. */
import type { Finding, PartyView, RequestView } from '../../messages.ts'
import { sameAddress, shortAddress } from './address.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

/** The parts of a request that its wording needs. Records of past calls have neither findings nor parties. */
export type Asked = Pick<RequestView, 'effect' | 'network' | 'account'> &
  Partial<Pick<RequestView, 'findings' | 'parties' | 'destination'>>

const IDENTIFIED: ReadonlySet<PartyView['kind']> = new Set(['own', 'contact', 'known', 'used', 'safe'])

/** True for a party that the user or the catalogue knows. */
export const isIdentified = ({ kind }: PartyView): boolean => IDENTIFIED.has(kind)

export const partyOf = ({ parties = [] }: Asked, address: string): PartyView =>
  parties.find(party => sameAddress(party.address, address)) ?? { address, kind: 'unread', name: null }

const imitatedBy = ({ findings = [] }: Asked, address: string): Finding | undefined =>
  findings.find(({ name, values }) => name === 'lookalikeAddress' && sameAddress(values[0] ?? '', address))

/** A party's place in the sentence: it receives something, is called, or gets a right. */
type Place = 'recipient' | 'contract' | 'spender'

const NO_CODE = { recipient: 'party_neverUsed', contract: 'party_noContract', spender: 'party_noContract' } as const

/**
 * Returns the author, or else the source, of a descriptor that explains the contract. The descriptor is a claim that
 * the user loaded, so it does not identify the contract.
 */
const describedBy = ({ effect }: Asked, address: string): string | undefined => {
  const parts = effect.kind === 'calls' ? effect.calls : [effect]
  for (const part of parts) {
    if (!('explained' in part) || !part.explained) continue
    const contract = part.kind === 'transaction' ? part.to : part.contract
    const { owner, source } = part.explained
    if (contract != null && sameAddress(contract, address)) return cutName(owner ?? source)
  }
  return undefined
}

/** Returns the name of an identified party; otherwise the start of its address, and that it is unknown. */
export const partyName = (asked: Asked, address: string, place: Place): string => {
  if (address === '') return text('party_newContract')
  const party = partyOf(asked, address)
  const { kind, name, what } = party
  const short = shortAddress(party.address)
  const like = imitatedBy(asked, address)
  if (like)
    return like.values[2] ? text('party_imitation', short, cutName(like.values[2])) : text('party_imitatesUsed', short)
  const descriptor = place === 'contract' && !isIdentified(party) ? describedBy(asked, address) : undefined
  if (descriptor !== undefined) return text('party_described', short, descriptor)
  switch (kind) {
    case 'own':
    case 'contact':
      return cutName(name ?? '')
    case 'known':
      return text('party_known', name ?? '', what ?? '')
    case 'used':
      return short
    case 'safe':
      return text('party_safe', short)
    case 'watched':
      return text('party_watched', cutName(name ?? ''), short)
    case 'token':
      return text('party_token', cutName(name ?? ''))
    case 'contract':
      return text('party_unknown', short)
    case 'noCode':
      return text(NO_CODE[place], short)
    case 'unread':
      return text(place === 'recipient' ? 'party_neverUsed' : 'party_unknown', short)
  }
}

/** Returns the protocol of a contract in the catalogue. Returns `partyName` for any other contract. */
export const protocolName = (asked: Asked, address: string): string => {
  const { kind, name } = partyOf(asked, address)
  return kind === 'known' ? (name ?? '') : partyName(asked, address, 'contract')
}
