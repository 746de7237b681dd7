/** wallet_getCallsStatus: returns a batch's status according to the node. https://eips.ethereum.org/EIPS/eip-5792 */
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Activity } from '../activity/activity.ts'
import type { Bundle } from '../activity/bundles.ts'
import { askQuantity } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { type Receipt, readReceipt } from '../networks/receipts.ts'
import type { Answering, Context } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'

const Params = v.tuple([v.string()])

const PENDING = 100
const CONFIRMED = 200
/** EIP-5792 status of a batch of which no call was sent or will be sent. */
const NOT_SENT = 400
const REVERTED = 500
const PARTLY = 600

/** Converts a receipt to the standard's form, whatever form the node uses. */
const toView = (hash: Hex, { hasFailed, block, gasUsed, logs, stated }: Receipt) => ({
  logs: logs
    .filter(isObject)
    .map(({ address, data, topics }) => ({ address, data: data ?? '0x', topics: topics ?? [] })),
  status: hasFailed ? '0x0' : '0x1',
  blockHash: stated.blockHash,
  blockNumber: encodeQuantity(block),
  ...(gasUsed !== null && { gasUsed: encodeQuantity(gasUsed) }),
  transactionHash: stated.transactionHash ?? hash,
})

type ReceiptView = ReturnType<typeof toView>

const statusOf = (count: number, receipts: readonly ReceiptView[]): number => {
  const done = receipts.filter(({ status }) => status === '0x1').length
  if (done === count) return CONFIRMED
  if (done > 0) return PARTLY
  return receipts.length > 0 ? REVERTED : NOT_SENT
}

/** Returns the call's hash and its replacements' hashes: a call that was sped up is on the chain under another hash. */
const hashesOf = (records: readonly Activity[], hash: Hex): Hex[] => {
  const faster = records.filter(({ replaces, purpose }) => replaces === hash && purpose === 'speedUp')
  return [hash, ...faster.map(record => record.hash)]
}

/** Returns the first receipt that exists for these hashes. */
const readFirst = async ({ chain }: Context, network: Network, hashes: readonly Hex[]) => {
  const receipts = await Promise.all(hashes.map(hash => readReceipt(chain, network, hash)))
  const views = receipts.flatMap((receipt, at) =>
    receipt === null || receipt === 'pending' ? [] : [toView(hashes[at] as Hex, receipt)],
  )
  return { view: views[0] ?? null, isPending: receipts.includes('pending') }
}

/** Returns the batch. Throws 5730 if the site has no batch with this id. */
const findBundle = async ({ origin, bundles }: Context, params: unknown): Promise<Bundle> => {
  const [id] = parseParams(params, Params)
  const bundle = await bundles.get(origin, id)
  if (!bundle) throw rpcError('unknownCalls', 'unknownCalls')
  return bundle
}

export const getCallsStatus: Answering = {
  readsNodeOf: async (context, params) => context.networks.get((await findBundle(context, params)).chainId),
  answer: async (context, params) => {
    const { requests } = context
    const bundle = await findBundle(context, params)
    const network = onBehalfOf(context.network, bundle.from)
    const { id, chainId, hashes, sent, key } = bundle
    const isSending = (await requests.unfinished()).some(request => request.key === key)
    // Read before the receipts. A transaction whose nonce was already used then, but which has no receipt, will never
    // be mined.
    const used = await askQuantity(context.chain, network, 'eth_getTransactionCount', [bundle.from, 'latest'])
    const records = await context.activity.list()
    const sentOnes = hashes.slice(0, sent).map(hash => hashesOf(records, hash))
    const found = await Promise.all(sentOnes.map(all => readFirst(context, network, all)))
    const receipts = found.flatMap(({ view }) => view ?? [])
    const isOnItsWay = found.some(
      ({ view, isPending }, at) => view === null && (isPending || BigInt(bundle.nonces[at] ?? 0) >= used),
    )
    return {
      version: '2.0.0',
      id,
      chainId: encodeQuantity(chainId),
      status: isSending || isOnItsWay ? PENDING : statusOf(hashes.length, receipts),
      // One transaction happens as a whole or not at all, whether it has one call or all of them.
      atomic: hashes.length === 1,
      ...(receipts.length > 0 && { receipts }),
    }
  },
}
