/** wallet_getCallsStatus: the status of a batch according to the node. https://eips.ethereum.org/EIPS/eip-5792 */
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Activity } from '../activity/activity.ts'
import type { Bundle } from '../activity/bundles.ts'
import { askQuantity } from '../networks/node.ts'
import type { Answering, Context } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'

const Params = v.strictTuple([v.string()])

const PENDING = 100
const CONFIRMED = 200
/** No call is or will be on the chain. */
const NOT_SENT = 400
const REVERTED = 500
const PARTLY = 600

const SUCCESS = '0x1'

type Members = Record<string, unknown>
type Receipt = Members & { status: unknown }

const pick = (from: unknown, names: readonly string[]): Members =>
  Object.fromEntries(names.map(name => [name, (from as Members)[name]]))

/** The receipt fields that the standard requires. */
const toReceipt = (receipt: unknown): Receipt => {
  const { logs = [] } = receipt as { logs?: unknown[] }
  return {
    logs: logs.map(log => pick(log, ['address', 'data', 'topics'])),
    status: (receipt as Members).status,
    ...pick(receipt, ['blockHash', 'blockNumber', 'gasUsed', 'transactionHash']),
  }
}

const readReceipt = async ({ chain }: Context, network: Network, hash: Hex): Promise<Receipt | null> => {
  const receipt = await chain(network, 'eth_getTransactionReceipt', [hash])
  return typeof receipt === 'object' && receipt !== null ? toReceipt(receipt) : null
}

const statusOf = (count: number, receipts: readonly Receipt[]): number => {
  const done = receipts.filter(({ status }) => status === SUCCESS).length
  if (done === count) return CONFIRMED
  if (done > 0) return PARTLY
  return receipts.length > 0 ? REVERTED : NOT_SENT
}

/** Includes replacements: a call that was sped up is on the chain under another hash. */
const hashesOf = (records: readonly Activity[], hash: Hex): Hex[] => {
  const faster = records.filter(({ replaces, purpose }) => replaces === hash && purpose === 'speedUp')
  return [hash, ...faster.map(record => record.hash)]
}

/** The receipt of the first of these hashes that is on the chain. */
const readFirst = async (context: Context, network: Network, hashes: readonly Hex[]): Promise<Receipt | null> => {
  const receipts = await Promise.all(hashes.map(hash => readReceipt(context, network, hash)))
  return receipts.find(receipt => receipt !== null) ?? null
}

/** Throws 5730 if the site has no bundle with this id. */
const findBundle = async ({ origin, bundles }: Context, params: unknown): Promise<Bundle> => {
  const [id] = parseParams(params, Params)
  const bundle = await bundles.get(origin, id)
  if (!bundle) throw rpcError('unknownCalls', 'unknownCalls')
  return bundle
}

export const getCallsStatus: Answering = {
  readsNodeOf: async (context, params) => context.networks.get((await findBundle(context, params)).chainId),
  answer: async (context, params) => {
    const { network, requests } = context
    const bundle = await findBundle(context, params)
    const { id, chainId, hashes, sent, key } = bundle
    const isSending = (await requests.unfinished()).some(request => request.key === key)
    // Read before the receipts: a transaction whose nonce is used by now and that has no receipt will never be mined.
    const used = await askQuantity(context.chain, network, 'eth_getTransactionCount', [bundle.from, 'latest'])
    const records = await context.activity.list()
    const sentOnes = hashes.slice(0, sent).map(hash => hashesOf(records, hash))
    const found = await Promise.all(sentOnes.map(all => readFirst(context, network, all)))
    const receipts = found.filter(receipt => receipt !== null)
    const isOnItsWay = found.some((receipt, at) => receipt === null && BigInt(bundle.nonces[at] ?? 0) >= used)
    return {
      version: '2.0.0',
      id,
      chainId: encodeQuantity(chainId),
      status: isSending || isOnItsWay ? PENDING : statusOf(hashes.length, receipts),
      atomic: false,
      ...(receipts.length > 0 && { receipts }),
    }
  },
}
