/**
 * wallet_sendCalls: approves several calls together, and sends one transaction that runs all of them, or else one for
 * each call, in order. https://eips.ethereum.org/EIPS/eip-5792
 */
import { encodeData, type Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { nodeValues, parseParams, parseParamsOn } from '@heliograph/shared/wire/params'
import { ignoredInCall, siteCall } from '@heliograph/shared/wire/site-transaction'
import { randomBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { Bundle } from '../activity/bundles.ts'
import { isUnreachable } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { type Asking, accountOf, type Context, mainAccount, requireAccount, signWith } from '../requests/context.ts'
import { ChangedSince, type WalletRequest } from '../requests/store.ts'
import { reviewUnreachedCalls } from '../review/calls.ts'
import { reviewIgnored, withIgnored } from '../review/ignored.ts'
import { reviewDisplaced, withNonceFindings } from '../review/nonces.ts'
import { readTransaction, unreachable, waitingForNode } from '../review/transaction.ts'
import { sortedJson } from '../storage/sorted-json.ts'
import { rpcError } from '../text/errors.ts'
import { chainIdValue } from '../text/values.ts'
import { readTokens } from '../tokens/tokens.ts'
import type { Batch } from '../transactions/batch.ts'
import { type CallsPayload, draftCalls, findTogether } from '../transactions/calls.ts'
import { type deliverAgain, signOnce } from '../transactions/delivery.ts'
import { makeInTime, silent } from '../transactions/in-time.ts'
import { noncesInOrder } from '../transactions/nonces.ts'
import { signTogether } from '../transactions/together.ts'
import { signFilled } from '../transactions/transaction.ts'

const VERSION = '2.0.0'
const MAX_CALLS = 20
/** Maximum characters of a batch id, from EIP-5792. */
const MAX_ID = 8194
const ID_BYTES = 32
const Capabilities = v.nullish(v.record(v.string(), v.unknown()), {})
const Params = v.tuple([
  v.object({
    version: v.literal(VERSION, `must be ${VERSION}`),
    id: v.nullish(
      v.pipe(v.string(), v.minLength(1, 'is empty'), v.maxLength(MAX_ID, `must have at most ${MAX_ID} characters`)),
    ),
    from: v.nullish(nodeValues.address),
    chainId: chainIdValue,
    atomicRequired: v.boolean(),
    calls: v.pipe(v.array(siteCall), v.minLength(1, 'must have a call')),
    capabilities: Capabilities,
  }),
])
/** The chain decides which address checksum is valid. */
const Chain = v.tuple([v.object({ chainId: chainIdValue })])
type Asked = v.InferOutput<typeof Params>[0]

const payloadOf = ({ payload }: Pick<WalletRequest, 'payload'>) => payload as CallsPayload

/** True for optional capabilities, and for null, which stands for a capability that is not requested. */
const isOptional = (capability: unknown) =>
  capability === null || (isObject(capability) && capability.optional === true)

/** Throws if a capability is required. The wallet supports none, and ignores optional ones. */
const assertCapabilities = ({ calls, capabilities }: Asked) => {
  for (const asked of [capabilities, ...calls.map(call => call.capabilities)])
    for (const [name, capability] of Object.entries(asked ?? {}))
      if (!isOptional(capability))
        throw rpcError('unsupportedCapability', 'unsupportedCapability', { name: JSON.stringify(name.slice(0, 60)) })
}

const findNetwork = async ({ networks }: Context, chainId: number): Promise<Network> => {
  const network = (await networks.list()).find(candidate => candidate.chainId === chainId)
  if (!network) throw rpcError('unsupportedChain', 'unknownNetwork', { chainId })
  return network
}

/** Throws unless a session's request, which names its chain, has calls for the same chain. */
const assertOwnChain = ({ requester, network: { chainId } }: Context, asked: Network) => {
  if (requester.kind === 'session' && asked.chainId !== chainId)
    throw rpcError('unsupportedChain', 'callsForOtherChain', { asked: chainId, calls: asked.chainId })
}

const duplicate = () => rpcError('duplicateCalls', 'duplicateCalls')

/** Throws if the id was used meanwhile: two pending requests may have the same id. */
const assertFirst = async ({ bundles }: Context, request: WalletRequest) => {
  const other = await bundles.get(request.origin, payloadOf(request).id)
  if (other && other.key !== request.key) throw duplicate()
}

/** Throws if a pending or stored batch has this id: ids are unique per site. */
const assertNew = async ({ origin, bundles, requests }: Context, id: string) => {
  const waiting = [...(await requests.open()), ...(await requests.unfinished())]
  const isWaiting = waiting.some(
    request => request.origin === origin && request.effect.kind === 'calls' && payloadOf(request).id === id,
  )
  if (isWaiting || (await bundles.get(origin, id))) throw duplicate()
}

/** Returns the names of unrecognized properties in all calls. */
const ignoredIn = (params: unknown): string[] => {
  const [{ calls }] = params as [{ calls: readonly unknown[] }]
  return [...new Set(calls.flatMap(ignoredInCall))]
}

/** Throws ChangedSince if the account's code, or the code that it would get, is no longer what the user has seen. */
const assertSameCode = async (context: Context, request: WalletRequest) => {
  const payload = payloadOf(request)
  const { together } = await findTogether(context, payload)
  if (sortedJson(together) === sortedJson(payload.together)) return
  const { findings, ...drafted } = await draftCalls(context, payload)
  throw new ChangedSince({ ...request, ...drafted, findings: withIgnored(findings, request.findings) })
}

const signAll = async (context: Context, request: WalletRequest): Promise<readonly Hex[]> => {
  const { transactions, together } = payloadOf(request)
  if (together) await assertSameCode(context, request)
  const { nonces, displaced } = await noncesInOrder(context, accountOf(request), transactions.length)
  const findings = withNonceFindings(request.findings, reviewDisplaced(displaced))
  if (findings) throw new ChangedSince({ ...request, findings })
  const signed: Hex[] = []
  for (const [at, transaction] of transactions.entries()) {
    const nonce = nonces[at] as bigint
    const signing = together
      ? signWith(context, request, key => signTogether(context.network, transaction, together, nonce, key))
      : signFilled(context, request, transaction, nonce)
    signed.push(await signing)
  }
  return signed
}

const bundleOf = async ({ activity }: Context, request: WalletRequest, hashes: readonly Hex[]): Promise<Bundle> => {
  const { key, origin, chainId, createdAt } = request
  const records = await Promise.all(hashes.map(activity.find))
  return {
    id: payloadOf(request).id,
    origin,
    key,
    chainId,
    from: accountOf(request),
    nonces: records.flatMap(record => (record ? [Number(record.nonce)] : [])),
    hashes,
    sent: 0,
    createdAt,
  }
}

/** Marks the calls after a rejected one as not sent. */
const dropAll = async ({ activity, now }: Context, hashes: readonly Hex[]) => {
  const failure = { name: 'notSent', reason: null } as const
  for (const hash of hashes) await activity.change(hash, { status: 'dropped', settledAt: now(), failure })
}

/**
 * Sends the transactions in order and stops after the node has rejected one. Throws if the node rejects the first
 * transaction.
 */
const sendAll = async (context: Context, bundle: Bundle, deliver: typeof deliverAgain) => {
  for (const [at, hash] of bundle.hashes.entries()) {
    try {
      await deliver(context, hash)
    } catch (refusal) {
      await dropAll(context, bundle.hashes.slice(at + 1))
      // An unreachable node may have accepted the transaction, and the wallet will send it again, so it stays in the
      // batch.
      if (isUnreachable(refusal)) await context.bundles.put({ ...bundle, sent: at + 1 })
      if (at > 0 || isUnreachable(refusal)) return
      await context.bundles.remove(bundle.origin, bundle.id)
      throw refusal
    }
    await context.bundles.put({ ...bundle, sent: at + 1 })
  }
}

/** Returns the review while the node is unreachable. The request can be retried but not approved. */
const unreachedDraft = async (
  context: Pick<Context, 'chain' | 'network' | 'assets' | 'interfaces'>,
  payload: CallsPayload,
) => {
  const { calls } = payload
  const readOwn = await context.interfaces.reader(context.network.chainId)
  const reads = calls.map(request => readTransaction(request, readOwn))
  const acts = reads.flatMap(read => read.acts)
  const tokens = await readTokens(context, calls[0].from, acts)
  return { payload, ...reviewUnreachedCalls(calls, tokens, reads) }
}

export const sendCalls: Asking = {
  prepare: async (context, params) => {
    const [{ chainId }] = parseParams(params, Chain)
    const [asked] = parseParamsOn(chainId, params, Params)
    if (asked.calls.length > MAX_CALLS)
      throw rpcError('tooManyCalls', 'tooManyCalls', { limit: MAX_CALLS, calls: asked.calls.length })
    assertCapabilities(asked)
    const network = await findNetwork(context, asked.chainId)
    assertOwnChain(context, network)
    const from = await requireAccount(context, asked.from ?? (await mainAccount(context)))
    const id = asked.id ?? encodeData(randomBytes(ID_BYTES))
    await assertNew(context, id)
    const there = { ...context, network: onBehalfOf(network, from) }
    const [first, ...others] = asked.calls.map(({ capabilities, ...call }) => ({ from, ...call }))
    if (!first) throw rpcError('invalidParams', 'noCalls')
    const calls: Batch = [first, ...others]
    const payload: CallsPayload = { id, isAtomic: asked.atomicRequired, calls, transactions: [] }
    const drafted = await makeInTime(context.chain, chain => draftCalls({ ...there, chain }, payload))
    const draft = { account: from, chainId: network.chainId }
    const ignored = reviewIgnored(ignoredIn(params))
    if (drafted.made === null) {
      const chain = drafted.late ? silent(context.chain) : context.chain
      const { findings, ...unreached } = await unreachedDraft({ ...there, chain }, payload)
      const why = drafted.late ? waitingForNode(network) : unreachable(network)
      return { ...draft, ...unreached, findings: [...findings, why, ...ignored] }
    }
    const { findings, ...made } = drafted.made
    return { ...draft, ...made, findings: [...findings, ...ignored] }
  },
  edit: async (context, request, { fees, gas, nonce, together: isChosen }) => {
    if (gas !== undefined || nonce !== undefined) throw rpcError('invalidParams', 'onlyFeesOfBatch')
    const { findings, ...drafted } = await draftCalls(context, {
      ...payloadOf(request),
      ...(fees && { fees }),
      ...(isChosen !== undefined && { isChosen }),
    })
    return { account: accountOf(request), ...drafted, findings: withIgnored(findings, request.findings) }
  },
  recall: async ({ activity, bundles }, key) => {
    const bundle = await bundles.ofKey(key)
    if (bundle) return { answer: { id: bundle.id } }
    // If a transaction exists, a worker stopped after signing. The batch must not be signed again.
    if ((await activity.ofKey(key)).some(({ status }) => status !== 'dropped')) throw duplicate()
    return undefined
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      await assertFirst(context, request)
      const { hashes, deliver } = await signOnce(context, request, 'pending', () => signAll(context, request))
      const bundle = await bundleOf(context, request, hashes)
      await context.bundles.put(bundle)
      await sendAll(context, bundle, deliver)
      return { id: bundle.id }
    }),
}
