/** UI methods for transactions: activity, fees, sending, replacing, discarding. */
import { RpcError } from '@heliograph/shared/errors'
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { FeeChoice, FeeLevelView, FeesView, SendInput } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import { type Fees, type Offer, offerFor, readFees, type Speed } from '../fees/fees.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { reviewKnown } from '../review/known.ts'
import { reviewName } from '../review/names.ts'
import { readKnown } from '../review/records.ts'
import { rpcError } from '../text/errors.ts'
import { activityViews } from '../transactions/activity-view.ts'
import { draftRemoval, readDelegate, removeDelegation } from '../transactions/delegation.ts'
import { deliverAgain } from '../transactions/delivery.ts'
import { draftSend, type OwnParts, sendTransfer } from '../transactions/own-transactions.ts'
import { cancel, readReplacement, speedUp } from '../transactions/replacement.ts'
import { readGivenAddress } from './given-address.ts'
import type { Ui, UiParts } from './parts.ts'

type TransactionMethod =
  | 'getActivity'
  | 'getFees'
  | 'editTransaction'
  | 'reviewSend'
  | 'sendOwn'
  | 'readReplacement'
  | 'speedUp'
  | 'cancelTransaction'
  | 'sendSigned'
  | 'discardSigned'
  | 'getDelegation'
  | 'reviewRemoval'
  | 'removeDelegation'
  | 'resetChain'

const choiceOf = (offer: Offer): FeeChoice =>
  'gasPrice' in offer
    ? { gasPrice: encodeQuantity(offer.gasPrice) }
    : {
        maxFeePerGas: encodeQuantity(offer.maxFeePerGas),
        maxPriorityFeePerGas: encodeQuantity(offer.maxPriorityFeePerGas),
      }

type Level = ReturnType<typeof offerFor>

const levelView = ({ fees, expected }: Level): FeeLevelView => ({
  fees: choiceOf(fees),
  expected: encodeQuantity(expected),
})

const feesView = ({ baseFee, recentBaseFees }: Fees, levels: Record<Speed, Level>): FeesView => ({
  baseFee: baseFee === null ? null : encodeQuantity(baseFee),
  recentBaseFees: recentBaseFees.map(encodeQuantity),
  slow: levelView(levels.slow),
  normal: levelView(levels.normal),
  fast: levelView(levels.fast),
})

/** Ignores errors of a node that refuses or cannot answer: pages then show the last known state. */
const unlessUnforeseen = (error: unknown) => {
  if (!(error instanceof RpcError)) throw error
}

export const createTransactionsUi = (parts: UiParts): Pick<Ui, TransactionMethod> => {
  const {
    vault,
    networks,
    assets,
    interfaces,
    descriptors,
    found,
    incoming,
    looks,
    activity,
    chainResets,
    seenPrices,
    watching,
    chain,
    now,
    sendInTurn,
    desk,
  } = parts

  const on = (network: Network): OwnParts => ({
    vault,
    assets,
    interfaces,
    descriptors,
    activity,
    chainResets,
    seenPrices,
    chain,
    now,
    sendInTurn,
    network,
  })
  const onChain = async (chainId: number, account: string) => on(onBehalfOf(await networks.get(chainId), account))

  /**
   * Resolves the recipient. The amount stays the input's, even if a pasted link requests another one. A link that
   * requests a payment in another asset is not accepted as a recipient.
   */
  const withRecipient = async <T extends SendInput>(input: T): Promise<T> => {
    const { address, payment } = await readGivenAddress(parts, input.to, input.chainId)
    const isOfAsset = payment === null || sameAddress(payment.token ?? '', input.token ?? '')
    return { ...input, to: isOfAsset ? address : input.to }
  }

  /** Returns the record. Throws -32602 for an unknown hash, 4100 while locked. */
  const find = async (hash: string): Promise<Activity> => {
    await vault.read()
    const record = await activity.find(hash as Hex)
    if (!record) throw rpcError('invalidParams', 'transactionGone')
    return record
  }

  const findSigned = async (hash: string) => {
    const record = await find(hash)
    if (record.status !== 'signed' || record.raw === null) throw rpcError('invalidParams', 'notUnsent')
    return { ...record, raw: record.raw }
  }

  return {
    getActivity: async ({ address, chainId }) => {
      await vault.read()
      const account = toAddress(address)
      const network = await networks.get(chainId)
      await watching.look(network, account).catch(unlessUnforeseen)
      return activityViews(await activity.list(), { chainId, account }, await interfaces.reader(chainId))
    },
    getFees: async ({ chainId }) => {
      const fees = await readFees(chain, await networks.get(chainId))
      const [slow, normal, fast] = [offerFor(fees, 'slow'), offerFor(fees, 'normal'), offerFor(fees, 'fast')]
      return feesView(fees, { slow, normal, fast })
    },
    editTransaction: async ({ id, ...edit }) => {
      await desk.edit(id, edit)
      return null
    },
    reviewSend: async ({ name, ...given }) => {
      const input = await withRecipient(given)
      const { effect, findings } = await draftSend(await onChain(input.chainId, input.from), input)
      const known = await readKnown(parts, input.chainId)
      const ofKnown = reviewKnown({ origin: null, since: null, effect, account: input.from }, known).findings
      const ofName = name ? reviewName(name, toAddress(input.to), input.chainId, known) : []
      return { effect, findings: [...ofName, ...findings, ...ofKnown.filter(({ level }) => level !== 'none')] }
    },
    sendOwn: async input => sendTransfer(await onChain(input.chainId, input.from), await withRecipient(input)),
    readReplacement: async ({ hash, purpose }) => {
      const record = await find(hash)
      const { fees, least, gas, l1Fee, ...levels } = await readReplacement(
        await onChain(record.chainId, record.account),
        record,
        purpose,
      )
      return {
        fees: feesView(fees, levels),
        least: choiceOf(least),
        gas: encodeQuantity(gas),
        ...(l1Fee != null && { l1: encodeQuantity(l1Fee) }),
      }
    },
    speedUp: async ({ hash, fees }) => {
      const record = await find(hash)
      return speedUp(await onChain(record.chainId, record.account), record, fees)
    },
    cancelTransaction: async ({ hash, fees }) => {
      const record = await find(hash)
      return cancel(await onChain(record.chainId, record.account), record, fees)
    },
    // Serialized with the check: if two pages act on the same transaction, the second one gets an error.
    sendSigned: ({ hash }) =>
      sendInTurn(async () => {
        const signed = await findSigned(hash)
        return deliverAgain(await onChain(signed.chainId, signed.account), signed.hash)
      }),
    discardSigned: ({ hash }) =>
      sendInTurn(async () => {
        const signed = await findSigned(hash)
        const failure = { name: 'discarded', reason: null } as const
        await activity.change(signed.hash, { status: 'dropped', settledAt: now(), failure })
        return null
      }),
    getDelegation: async ({ address, chainId }) => readDelegate(chain, await networks.get(chainId), toAddress(address)),
    reviewRemoval: async input => {
      const { fee, offer, findings } = await draftRemoval(on(await networks.get(input.chainId)), input)
      return { fee, fees: choiceOf(offer), findings }
    },
    removeDelegation: async input => removeDelegation(on(await networks.get(input.chainId)), input),
    resetChain: async ({ chainId }) => {
      await vault.read()
      await activity.forget(chainId)
      await chainResets.forget(chainId)
      await found.forget(chainId)
      await incoming.forget(chainId)
      await looks.forget(chainId)
      return null
    },
  }
}
