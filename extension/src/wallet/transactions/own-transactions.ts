/** Transactions of the wallet's own screens: nobody asks for them but the person. */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { signTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import type { SendInput } from '../../messages.ts'
import { findSigner, withKeyOf } from '../keys/keyring.ts'
import type { UiParts } from '../ui-parts.ts'
import { type Activity, activityOf, isOf, type Occasion } from './activity.ts'
import { deliver } from './delivery.ts'
import { type Drafted, draftTransaction } from './draft.ts'
import { nonceToSend, readUsed } from './nonces.ts'
import { editRequest, toTransaction } from './transaction.ts'

export type OwnParts = Pick<
  UiParts,
  'vault' | 'assets' | 'interfaces' | 'activity' | 'restarts' | 'seenPrices' | 'chain' | 'now' | 'sendInTurn'
> & {
  network: Network
}

/** `transfer(address,uint256)` of https://eips.ethereum.org/EIPS/eip-20 */
const TRANSFER = '0xa9059cbb'
const WORD_DIGITS = 64

const word = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, '0')

/** Throws ValueError for what is no address and no QUANTITY. */
const transferOf = (network: Network, { from, to, token, amount }: SendInput): TransactionRequest => {
  const sender = { from: toAddress(from, 'from'), chainId: fromQuantity(network.chainId) }
  const receiver = toAddress(to, 'to')
  const value = toQuantity(amount, 'amount')
  if (token === null) return { ...sender, to: receiver, value: fromQuantity(value) }
  const data: Hex = `${TRANSFER}${word(BigInt(receiver))}${word(value)}`
  return { ...sender, to: toAddress(token, 'token'), value: '0x0', data }
}

/** What a transaction would do. Throws 4100 where the account cannot sign, -32602 for a nonce that was used. */
export const draftOwn = async (parts: OwnParts, request: TransactionRequest): Promise<Drafted> => {
  findSigner(await parts.vault.read(), request.from)
  if (request.nonce !== undefined) await assertUnused(parts, request.from, request.nonce)
  return draftTransaction(parts, request, 'send')
}

/** What a transfer would do. Throws as `draftOwn`. */
export const draftSend = async (parts: OwnParts, input: SendInput): Promise<Drafted> =>
  draftOwn(parts, editRequest(transferOf(parts.network, input), input))

/** A nonce can be taken from what waits, and not from what is on the chain. Throws -32602. */
export const assertUnused = async (
  parts: Pick<OwnParts, 'chain' | 'network'>,
  account: Address,
  nonce: Hex,
): Promise<void> => {
  const used = await readUsed(parts, account)
  if (toQuantity(nonce) < used)
    throw rpcError('invalidParams', `The nonce ${toQuantity(nonce)} was used already: the next is ${used}`)
}

/** Whether a transaction does what is not to be done twice. */
type IsSame = (record: Activity) => boolean

/** The hash of the transaction on its way that does the same; not of one that is being cancelled. */
export const findUnderWay = async (
  { activity, restarts, chain, network }: Pick<OwnParts, 'activity' | 'restarts' | 'chain' | 'network'>,
  isSame: IsSame,
): Promise<Hex | undefined> => {
  const { chainId } = network
  // What was sent to a chain that has begun anew since is not on its way on this one.
  if ((await restarts.list()).includes(chainId)) return undefined
  const pending = (await activity.list()).filter(record => record.chainId === chainId && record.status === 'pending')
  const isCancelled = (record: Activity) =>
    pending.some(other => isOf(record)(other) && other.nonce === record.nonce && other.purpose === 'cancel')
  const hash = pending.findLast(record => isSame(record) && !isCancelled(record))?.hash
  if (hash === undefined) return undefined
  // It may have come into a block since the wallet looked at it last.
  const receipt = await chain(network, 'eth_getTransactionReceipt', [hash]).catch(() => null)
  return receipt ? undefined : hash
}

/** The hash of what was made under the key, unless the node did not take it; else of what is on its way and the same. */
export const madeBefore = async (parts: OwnParts, key: string, isSame?: IsSame): Promise<Hex | undefined> => {
  const made = (await parts.activity.ofKey(key)).find(({ status }) => status !== 'dropped')
  return made?.hash ?? (isSame && findUnderWay(parts, isSame))
}

/**
 * Signs, keeps and sends. `make` runs when nothing else takes a nonce. What a key has made before is not made again, but
 * where the node did not take it, and neither is what is on its way and `isSame`. Throws as `broadcast` does, and 4100
 * while locked.
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
    await activity.add([activityOf(raw, { ...occasion, chainId, origin: null, createdAt: now(), status: 'pending' })])
    return deliver(parts, raw)
  })

/** The key of what a page of the wallet asks for under an id of its own. No site has an origin like that. */
export const ownKey = (id: string): string => `wallet ${id}`

/**
 * Sends what a page asked for under an id of its own, unless what `isSame` is on its way. Throws -32000 where the review says
 * that it cannot be.
 */
export const sendOwn = async (
  parts: OwnParts,
  id: string,
  request: TransactionRequest,
  isSame?: IsSame,
): Promise<Hex> => {
  // Judged by what is there now, what has been sent could not be sent.
  const made = await madeBefore(parts, ownKey(id), isSame)
  if (made) return made
  const { transaction, findings } = await draftOwn(parts, request)
  const blocked = findings.find(({ level }) => level === 'blocked')
  if (blocked) throw rpcError('invalidInput', `The transaction cannot be sent: ${blocked.name}`)
  const account = request.from
  const make = async () => {
    const nonce = transaction.nonce ? toQuantity(transaction.nonce) : await nonceToSend(parts, account)
    return toTransaction(transaction, nonce)
  }
  return signAndSend(parts, { account, key: ownKey(id) }, make, isSame)
}

export const sendTransfer = async (parts: OwnParts, { id, ...input }: SendInput & { id: string }): Promise<Hex> =>
  sendOwn(parts, id, editRequest(transferOf(parts.network, input), input))
