/** Typed data that grants control, moves balances within a protocol, or moves nothing. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import type { Act, ControlAct, Right } from '../../messages.ts'
import { ZERO } from './call-arguments.ts'
import {
  ADDRESS,
  AMOUNT,
  BOOL,
  contractOf,
  type Form,
  type Given,
  has,
  isExactly,
  type Reader,
  text,
} from './typed-fields.ts'

const CALM: Form = { form: 'calm', acts: [] }

const giving = (right: Right, of: string, to: string): Form => {
  const act: ControlAct = { kind: 'control', right, of, to }
  return { form: 'authorization', acts: [act] }
}
/** Result for a signature that revokes a right. */
const ENDED: Form = { form: 'authorization', acts: [] }

/** Compound III: https://docs.compound.finance/account-management/ */
const COMET = { owner: ADDRESS, manager: ADDRESS, isAllowed: BOOL, nonce: AMOUNT, expiry: AMOUNT }
/** Morpho: https://docs.morpho.org */
const MORPHO = { authorizer: ADDRESS, authorized: ADDRESS, isAuthorized: BOOL, nonce: AMOUNT, deadline: AMOUNT }

/** Reads a signature that lets others act for the account in a protocol. */
export const managerAuthorization: Reader = (data, message) => {
  const contract = contractOf(data)
  if (contract === undefined) return undefined
  if (has(message, COMET))
    return message.values.isAllowed === true ? giving('manager', contract, text(message, 'manager')) : ENDED
  if (!has(message, MORPHO)) return undefined
  return message.values.isAuthorized === true ? giving('manager', contract, text(message, 'authorized')) : ENDED
}

/** Reads Aave's credit delegation: others borrow in the account's name. */
export const creditDelegation: Reader = (data, message) => {
  const contract = contractOf(data)
  const wanted = { delegatee: ADDRESS, value: AMOUNT, nonce: AMOUNT, deadline: AMOUNT }
  if (contract === undefined || !has(message, wanted)) return undefined
  return text(message, 'value') === '0' ? ENDED : giving('credit', contract, text(message, 'delegatee'))
}

/** Reads a delegation of the account's code: https://eips.ethereum.org/EIPS/eip-7702. The zero address revokes it. */
export const accountDelegation: Reader = (_, message, account) => {
  const name = Object.keys(message.fields).find(field => message.fields[field] === 'address') ?? ''
  const to = text(message, name)
  return ZERO.test(to) ? ENDED : giving('delegate', account, to)
}

/** Vote delegations of ERC-5805 and Aave, which move only votes. The fields must match exactly. */
const VOTES: readonly string[] = [
  'address delegatee, uint256 nonce, uint256 expiry',
  'address delegator, address delegatee, uint256 nonce, uint256 deadline',
  'address delegatee, uint256 type, uint256 nonce, uint256 expiry',
  'address delegatee, uint8 delegationType, uint256 nonce, uint256 expiry',
  'address delegator, address delegatee, uint8 delegationType, uint256 nonce, uint256 deadline',
]

export const voteDelegation: Reader = (_, message) =>
  VOTES.some(fields => isExactly(message, fields)) ? CALM : undefined

/** Reads the cancellation of an authorization: https://eips.ethereum.org/EIPS/eip-3009 */
export const cancelAuthorization: Reader = (_, message) =>
  isExactly(message, 'address authorizer, bytes32 nonce') ? CALM : undefined

/** Harmless types of https://docs.snapshot.box. `Alias` is excluded, because it lets another key vote. */
const SNAPSHOT: ReadonlySet<string> = new Set([
  'Vote',
  'Proposal',
  'UpdateProposal',
  'CancelProposal',
  'FlagProposal',
  'Follow',
  'Unfollow',
  'Subscribe',
  'Unsubscribe',
  'Profile',
  'Statement',
  'Space',
  'DeleteSpace',
  'ReportOrFlag',
])
const SNAPSHOT_DOMAIN: readonly string[] = ['name', 'version']

/** True for Snapshot's data, whose domain names neither a chain nor a contract. */
export const isSnapshot = ({ primaryType, domain }: TypedData): boolean =>
  domain.name === 'snapshot' &&
  Object.keys(domain).every(field => SNAPSHOT_DOMAIN.includes(field)) &&
  SNAPSHOT.has(primaryType)

export const snapshot: Reader = () => CALM

const HYPERLIQUID = 'HyperliquidSignTransaction'
const STRING = /^string$/
const TEXT_OR_ADDRESS = /^(?:string|address)$/
const PLAIN_AMOUNT = /^\d{1,40}(?:\.\d{1,40})?$/

/** Returns the address that a text field contains. Undefined for other texts. */
const addressIn = (struct: Given, name: string): string | undefined => {
  const value = text(struct, name)
  return /^0x[0-9a-fA-F]{40}$/.test(value) ? toAddress(value.toLowerCase()) : undefined
}

/** Reads Hyperliquid's data: https://hyperliquid.gitbook.io/hyperliquid-docs. Signatures move its balances. */
const onHyperliquid =
  (
    read: (message: Given, contract: string, account: string) => readonly Act[] | undefined,
    form: Form['form'],
  ): Reader =>
  (data, message, account) => {
    const contract = contractOf(data)
    if (contract === undefined || data.domain.name !== HYPERLIQUID) return undefined
    const acts = read(message, contract, account)
    return acts && { form, acts }
  }

/** Reads a transfer of balances to another account, or a withdrawal to the account itself on the chain. */
export const hyperliquidTransfer = onHyperliquid((message, by) => {
  if (!has(message, { destination: TEXT_OR_ADDRESS, amount: STRING })) return undefined
  const to = addressIn(message, 'destination')
  return to === undefined || !PLAIN_AMOUNT.test(text(message, 'amount')) ? undefined : [{ kind: 'gain', by, to }]
}, 'withdrawal')

/** Reads a transfer between the account's own balances. */
export const hyperliquidClassTransfer = onHyperliquid((message, by, account) => {
  if (!has(message, { amount: STRING, toPerp: BOOL }) || !PLAIN_AMOUNT.test(text(message, 'amount'))) return undefined
  return [{ kind: 'gain', by, to: account }]
}, 'withdrawal')

/** Reads the approval of an agent, which can trade for the account. */
export const hyperliquidAgent = onHyperliquid((message, of) => {
  if (!has(message, { agentAddress: TEXT_OR_ADDRESS })) return undefined
  const to = addressIn(message, 'agentAddress')
  return to === undefined || ZERO.test(to) ? undefined : [{ kind: 'control', right: 'manager', of, to }]
}, 'authorization')
