/** Reviews calls' destinations: addresses without code, token contracts, the zero address. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { AddressFacts, Finding, TokenAct } from '../../messages.ts'
import { finding, once } from './findings.ts'

/** A call and its token acts. `to` is null for a contract creation. */
export type OutgoingCall = { from: string; to: string | null; value: bigint; data: string; acts: readonly TokenAct[] }

/** Results of the node's address checks. `tokens` are addresses that respond like token contracts. */
export type AddressChecks = AddressFacts & { tokens: readonly string[] }

const ZERO = `0x${'0'.repeat(40)}`
/** Addresses below this number are precompiles, which run without having code. */
const PRECOMPILES = 1n << 16n

const has = (addresses: readonly string[], address: string) => addresses.some(other => sameAddress(other, address))
const isPrecompile = (address: string) => BigInt(address) < PRECOMPILES

/** Returns an act's token contracts. */
export const tokensOfAct = (act: TokenAct): string[] =>
  act.kind === 'order' ? [...act.gives, ...act.gets].flatMap(({ token }) => token ?? []) : [act.token]

const reviewTokens = (acts: readonly TokenAct[], { withoutCode }: AddressChecks): Finding[] =>
  acts
    .flatMap(tokensOfAct)
    .filter(token => has(withoutCode, token))
    .map(token => finding('danger', 'tokenWithoutCode', token))

const reviewZero = ({ to, acts }: OutgoingCall): Finding[] => {
  const receivers = [...(to === null ? [] : [to]), ...acts.flatMap(act => (act.kind === 'transfer' ? [act.to] : []))]
  return receivers.some(receiver => sameAddress(receiver, ZERO)) ? [finding('danger', 'sentToZero')] : []
}

/** Reviews the called address. If it has no code, the call executes nothing and only transfers its value. */
const reviewCalled = ({ from, to, value, data }: OutgoingCall, { withoutCode }: AddressChecks): Finding[] => {
  if (to === null || data === '0x' || isPrecompile(to) || !has(withoutCode, to)) return []
  const paysOther = value > 0n && !sameAddress(from, to)
  return [paysOther ? finding('danger', 'paysNoContract', to) : finding('caution', 'noContract', to)]
}

const reviewPaid = ({ to, data }: OutgoingCall, { tokens }: AddressChecks): Finding[] =>
  to !== null && data === '0x' && has(tokens, to) ? [finding('caution', 'coinsToToken', to)] : []

/** Reviews the destinations of all calls in a request. */
export const reviewDestinations = (calls: readonly OutgoingCall[], facts: AddressChecks): Finding[] =>
  once(
    calls.flatMap(call => [
      ...reviewZero(call),
      ...reviewTokens(call.acts, facts),
      ...reviewCalled(call, facts),
      ...reviewPaid(call, facts),
    ]),
  )
