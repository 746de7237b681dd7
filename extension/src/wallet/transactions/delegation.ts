/**
 * Detects and removes an account's delegation to another address's code (EIP-7702). Only the wallet's own pages can
 * remove it. https://eips.ethereum.org/EIPS/eip-7702
 */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { type Authorization, type SignedAuthorization, signAuthorization } from '@heliograph/shared/evm/authorization'
import { decodeQuantity, encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Transaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import type { FeeChoice, FeeView, Finding, RemovalInput } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import { offerFor } from '../fees/fees.ts'
import { highestL1Fee, readL1Fee } from '../fees/l1-fee.ts'
import { findSigner, withKeyOf } from '../keys/keyring.ts'
import { askQuantity, type Chain } from '../networks/node.ts'
import { fastOffer, reviewMarket, reviewPrice, reviewShare } from '../review/fees.ts'
import { reviewFunds, reviewL1Fee } from '../review/transaction.ts'
import { rpcError } from '../text/errors.ts'
import { delegateIn } from './designation.ts'
import { nonceToSend } from './nonces.ts'
import { findUnderWay, madeBefore, type OwnParts, ownKey, signAndSend } from './own-transactions.ts'
import { readMarket } from './transaction.ts'

const NO_ADDRESS: Address = `0x${'0'.repeat(40)}`
/** Gas limit: 21,000 for the transaction, 25,000 for the authorization, and a reserve for networks that charge more. */
const REMOVAL_GAS = 100_000n

/** Reads the address to which an account delegates. Null if there is none. Throws 4901. */
export const readDelegate = async (chain: Chain, network: Network, account: Address): Promise<Address | null> =>
  delegateIn(await chain(network, 'eth_getCode', [account, 'latest']))

type Market = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * Converts the chosen fees. Throws -32602 for a gasPrice, because transactions with authorizations have EIP-1559 fees.
 */
const toMarket = (choice: FeeChoice): Market => {
  if ('gasPrice' in choice) throw rpcError('invalidParams', 'feesIncomplete')
  return {
    maxFeePerGas: decodeQuantity(choice.maxFeePerGas, 'maxFeePerGas'),
    maxPriorityFeePerGas: decodeQuantity(choice.maxPriorityFeePerGas, 'maxPriorityFeePerGas'),
  }
}

/** Placeholder for a signature when the fee for its bytes is read. Its r and s have 32 bytes each. */
export const UNSIGNED = { yParity: 0, r: 1n << 255n, s: 1n << 254n } as const

const authorizationOf = ({ chainId }: Network, nonce: bigint): Authorization => ({
  chainId: BigInt(chainId),
  address: NO_ADDRESS,
  nonce,
})

const removalOf = (
  { chainId }: Network,
  account: Address,
  offer: Market,
  nonce: bigint,
  authorization: SignedAuthorization,
): Transaction => ({
  type: 'eip7702',
  chainId: BigInt(chainId),
  nonce,
  ...offer,
  gas: REMOVAL_GAS,
  to: account,
  value: 0n,
  data: '0x',
  accessList: [],
  authorizationList: [authorization],
})

export type Removal = { account: Address; payer: Address; offer: Market; fee: FeeView; findings: readonly Finding[] }

/** Returns a predicate for records that remove this account's delegation, whichever account pays. */
export const isRemovalOf =
  (account: Address) =>
  ({ purpose, to }: Activity): boolean =>
    purpose === 'removeDelegation' && to !== null && sameAddress(to, account)

/**
 * Estimates the removal of a delegation. Throws 4100 if a key is missing, -32602 if there is no delegation or its
 * removal is already pending.
 */
export const draftRemoval = async (parts: OwnParts, input: RemovalInput): Promise<Removal> => {
  const { chain, network, vault } = parts
  const [account, payer] = [toAddress(input.address), toAddress(input.payer)]
  const secrets = await vault.read()
  for (const signer of [account, payer]) findSigner(secrets, signer)
  if ((await readDelegate(chain, network, account)) === null) throw rpcError('invalidParams', 'noDelegation')
  const underWay = await findUnderWay(parts, isRemovalOf(account))
  if (underWay) throw rpcError('invalidParams', 'delegationEnding', { hash: underWay })
  const market = await readMarket(parts)
  const normal = offerFor(market.fees, 'normal')
  if ('gasPrice' in normal.fees)
    throw rpcError('methodNotSupported', 'delegationUnsupported', { network: network.title })
  const offer = input.fees ? toMarket(input.fees) : normal.fees
  const atMost = REMOVAL_GAS * offer.maxFeePerGas
  const l1Fee = await readL1Fee(chain, network, () =>
    removalOf(network, account, offer, 0n, { ...authorizationOf(network, 0n), ...UNSIGNED }),
  )
  const balance = await askQuantity(chain, network, 'eth_getBalance', [payer, 'latest'])
  const price = normal.expected < offer.maxFeePerGas ? normal.expected : offer.maxFeePerGas
  const fee = {
    gas: encodeQuantity(REMOVAL_GAS),
    used: encodeQuantity(REMOVAL_GAS),
    expected: encodeQuantity(REMOVAL_GAS * price + (l1Fee ?? 0n)),
    atMost: encodeQuantity(atMost + highestL1Fee(l1Fee)),
    ...(l1Fee != null && { l1: encodeQuantity(l1Fee) }),
  }
  const findings = [
    ...reviewFunds(atMost + (l1Fee ?? 0n), balance),
    ...reviewPrice(offer, market),
    ...reviewShare(atMost, REMOVAL_GAS * fastOffer(market), balance),
    ...reviewMarket(market),
    ...reviewL1Fee(l1Fee),
  ]
  return { account, payer, offer, fee, findings }
}

/** Returns the account's nonce. Throws -32602 if the account has pending transactions. */
const settledNonce = async (parts: OwnParts, account: Address): Promise<bigint> => {
  const { chain, network } = parts
  const used = await askQuantity(chain, network, 'eth_getTransactionCount', [account, 'latest'])
  if ((await nonceToSend(parts, account)) !== used) throw rpcError('invalidParams', 'accountBusy')
  return used
}

/**
 * Signs the authorization, for this chain only. Its nonce is the account's current one or, if the account itself pays,
 * the one after its transaction. Throws -32602 if the nonce may change before the removal is mined, because the chain
 * silently ignores an authorization with a wrong nonce.
 */
const authorize = async (parts: OwnParts, { account, payer }: Removal, nonce: bigint): Promise<SignedAuthorization> => {
  const { network, vault } = parts
  const own = sameAddress(account, payer) ? nonce + 1n : await settledNonce(parts, account)
  return withKeyOf(await vault.read(), account, key => signAuthorization(authorizationOf(network, own), key))
}

/** Removes a delegation. Returns the hash of the payer's transaction. */
export const removeDelegation = async (parts: OwnParts, input: RemovalInput & { id: string }) => {
  const isSame = isRemovalOf(toAddress(input.address))
  const made = await madeBefore(parts, ownKey(input.id), isSame)
  if (made) return made
  const removal = await draftRemoval(parts, input)
  if (removal.findings.some(({ level }) => level === 'blocked')) throw rpcError('invalidInput', 'payerTooPoor')
  const { account, payer, offer } = removal
  const make = async () => {
    const nonce = await nonceToSend(parts, payer)
    return removalOf(parts.network, account, offer, nonce, await authorize(parts, removal, nonce))
  }
  return signAndSend(parts, { account: payer, key: ownKey(input.id), purpose: 'removeDelegation' }, make, isSame)
}
