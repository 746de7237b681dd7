/** Transactions that the wallet's own pages make. */
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { signTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { ItemInput, SendInput } from '../../messages.ts'
import { type Activity, activityOf, isOf, type Occasion } from '../activity/activity.ts'
import { findSigner, withKeyOf } from '../keys/keyring.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { readReceipt } from '../networks/receipts.ts'
import type { Context } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'
import { deliver } from './delivery.ts'
import { type Drafted, draftTransaction } from './draft.ts'
import { nonceToSend, readUsed } from './nonces.ts'
import { editRequest, toTransaction } from './transaction.ts'

export type OwnParts = Pick<
  Context,
  | 'vault'
  | 'network'
  | 'assets'
  | 'interfaces'
  | 'descriptors'
  | 'activity'
  | 'chainResets'
  | 'seenPrices'
  | 'chain'
  | 'now'
  | 'sendInTurn'
>

/** `transfer(address,uint256)` of https://eips.ethereum.org/EIPS/eip-20 */
const TRANSFER = '0xa9059cbb'
/** `safeTransferFrom(address,address,uint256)` of https://eips.ethereum.org/EIPS/eip-721 */
const TRANSFER_UNIQUE = '0x42842e0e'
/** `safeTransferFrom(address,address,uint256,uint256,bytes)` of https://eips.ethereum.org/EIPS/eip-1155 */
const TRANSFER_ITEMS = '0xf242432a'
/** Offset of TRANSFER_ITEMS's last argument in bytes, and its length: it is empty. */
const NO_BYTES = [160n, 0n] as const
const WORD_DIGITS = 64

const word = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, '0')

const itemTransferOf = (from: Address, to: Address, { kind, id }: ItemInput, amount: bigint): Hex => {
  const parties = `${word(BigInt(from))}${word(BigInt(to))}`
  if (kind === 'erc721') return `${TRANSFER_UNIQUE}${parties}${word(BigInt(id))}`
  return `${TRANSFER_ITEMS}${parties}${[BigInt(id), amount, ...NO_BYTES].map(word).join('')}`
}

/** Builds the transfer. Throws ValueError if an address or a hex quantity is invalid. */
const transferOf = (network: Network, { from, to, token, item, amount }: SendInput): TransactionRequest => {
  const sender = { from: toAddress(from, 'from'), chainId: encodeQuantity(network.chainId) }
  const receiver = toAddress(to, 'to')
  const value = decodeQuantity(amount, 'amount')
  if (token === null) return { ...sender, to: receiver, value: encodeQuantity(value) }
  const data: Hex = item
    ? itemTransferOf(sender.from, receiver, item, value)
    : `${TRANSFER}${word(BigInt(receiver))}${word(value)}`
  return { ...sender, to: toAddress(token, 'token'), value: '0x0', data }
}

/** Drafts a transaction. Throws 4100 if the account cannot sign, -32602 for a used nonce. */
export const draftOwn = async (parts: OwnParts, request: TransactionRequest): Promise<Drafted> => {
  findSigner(await parts.vault.read(), request.from)
  if (request.nonce !== undefined) await assertUnused(parts, request.from, request.nonce)
  return draftTransaction(parts, request, 'send')
}

/** Drafts a transfer. Throws like `draftOwn`. */
export const draftSend = async (parts: OwnParts, input: SendInput): Promise<Drafted> =>
  draftOwn(parts, editRequest(transferOf(parts.network, input), input))

/** Throws -32602 if the nonce is used on the chain. Reusing a pending transaction's nonce is allowed. */
export const assertUnused = async (
  parts: Pick<OwnParts, 'chain' | 'network'>,
  account: Address,
  nonce: Hex,
): Promise<void> => {
  const used = await readUsed(parts, account)
  if (decodeQuantity(nonce) < used)
    throw rpcError('invalidParams', 'nonceUsed', { nonce: String(decodeQuantity(nonce)), next: String(used) })
}

/** True if the record's transaction has the same effect as the new one, which must not happen twice. */
type IsSame = (record: Activity) => boolean

/** Returns the hash of a pending transaction with the same effect, ignoring a transaction that is being cancelled. */
export const findUnderWay = async (
  { activity, chainResets, chain, network }: Pick<OwnParts, 'activity' | 'chainResets' | 'chain' | 'network'>,
  isSame: IsSame,
): Promise<Hex | undefined> => {
  const { chainId } = network
  // Transactions that were sent before a reset are not pending on the new chain.
  if ((await chainResets.list()).includes(chainId)) return undefined
  const pending = (await activity.list()).filter(record => record.chainId === chainId && record.status === 'pending')
  const isCancelled = (record: Activity) =>
    pending.some(other => isOf(record)(other) && other.nonce === record.nonce && other.purpose === 'cancel')
  const found = pending.findLast(record => isSame(record) && !isCancelled(record))
  if (found === undefined) return undefined
  const { hash, account } = found
  // The transaction may have been mined since the last check, so it may no longer be pending.
  const receipt = await readReceipt(chain, onBehalfOf(network, account), hash).catch(() => null)
  return receipt === null || receipt === 'pending' ? hash : undefined
}

/**
 * Returns the hash of an earlier transaction with this key that was not dropped, or else of a pending one with the same
 * effect.
 */
export const madeBefore = async (parts: OwnParts, key: string, isSame?: IsSame): Promise<Hex | undefined> => {
  const made = (await parts.activity.ofKey(key)).find(({ status }) => status !== 'dropped')
  return made?.hash ?? (isSame && findUnderWay(parts, isSame))
}

/**
 * Signs, stores and sends. While `make` runs, no other request can take a nonce. If a transaction with this key was not
 * dropped, or a transaction that `isSame` matches is pending, returns its hash instead. Throws like `broadcast`, and
 * 4100 while locked.
 */
export const signAndSend = (
  parts: OwnParts,
  occasion: Omit<Occasion, 'chainId' | 'origin' | 'createdAt' | 'status'>,
  make: () => Promise<Transaction>,
  isSame?: IsSame,
): Promise<Hex> =>
  parts.sendInTurn(async () => {
    const { vault, activity, network, now } = parts
    const made = await madeBefore(parts, occasion.key, isSame)
    if (made) return made
    const transaction = await make()
    const raw = await withKeyOf(await vault.read(), occasion.account, key => signTransaction(transaction, key))
    const { chainId } = network
    const record = activityOf(raw, { ...occasion, chainId, origin: null, createdAt: now(), status: 'pending' })
    await activity.add([record])
    return deliver(parts, record.hash)
  })

/** Returns the key of a page's action with this id. It differs from all sites' keys. */
export const ownKey = (id: string): string => `wallet ${id}`

/**
 * Sends a page's transaction, unless it was already sent, or a transaction that `isSame` matches is pending. Throws
 * -32000 if the review blocks it.
 */
export const sendOwn = async (
  parts: OwnParts,
  id: string,
  request: TransactionRequest,
  isSame?: IsSame,
): Promise<Hex> => {
  // Looks for an earlier transaction before the review, which would block a transaction that was already sent.
  const made = await madeBefore(parts, ownKey(id), isSame)
  if (made) return made
  const { transaction, findings } = await draftOwn(parts, request)
  const blocked = findings.find(({ level }) => level === 'blocked')
  if (blocked) throw rpcError('invalidInput', 'blocked')
  const account = request.from
  const make = async () => {
    const nonce = transaction.nonce ? decodeQuantity(transaction.nonce) : await nonceToSend(parts, account)
    return toTransaction(transaction, nonce)
  }
  return signAndSend(parts, { account, key: ownKey(id) }, make, isSame)
}

export const sendTransfer = async (parts: OwnParts, { id, ...input }: SendInput & { id: string }): Promise<Hex> =>
  sendOwn(parts, id, editRequest(transferOf(parts.network, input), input))
