/** Sends requests to a headless wallet as a page would, and returns the content of its approval window. */
import { RpcError } from '@heliograph/shared/errors'
import { AbiCoder } from 'ethers'
import type { Effect, RequestView } from '../../extension/src/messages.ts'
import { levelOf } from '../../extension/src/ui/model/risk.ts'
import { nodeError } from '../../extension/src/wallet/networks/answers.ts'
import type { Chain } from '../../extension/src/wallet/networks/node.ts'
import type { Store } from '../../extension/src/wallet/storage/store.ts'
import {
  ADDRESS,
  FIRST_KEY,
  NOW,
  PASSWORD,
  SECOND_KEY,
  SITE,
  startWallet,
} from '../../extension/src/wallet/wallet.fixture.ts'
import { createSerialQueue } from '../../extension/src/wallet/work/turns.ts'
import { FRIEND, LISTED } from './addresses.ts'
import type { Request, Shown } from './case.ts'
import type { Rpc } from './node.ts'
import { CHAIN_ID } from './permits.ts'

/** A store that does not copy values, because no reader changes them. */
const plainStore = (): Store => {
  const values = new Map<string, unknown>()
  return {
    get: async name => values.get(name),
    set: async (name, value) => void values.set(name, value),
    remove: async name => void values.delete(name),
  }
}

/** Resolves with the content that the wallet showed. Throws if the wallet reports too many requests. */
export type Review = (request: Request) => Promise<Shown>

/** Milliseconds between two requests, so that no rate limit applies. */
const PAUSE = 3_600_000
/** A gas limit with which no transaction runs out of gas. */
const PLENTY = '0xf4240'
/** Selectors of symbol() and decimals(). */
const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'

/** Returns the response for a token that is not on the chain; undefined for other calls. */
const toldBy = ({ address, symbol }: NonNullable<Request['token']>, method: string, params: readonly unknown[]) => {
  const [asked] = params
  const isIt = (other: unknown) => String(other).toLowerCase() === address.toLowerCase()
  if (method === 'eth_getCode' && isIt(asked)) return '0x00'
  const { to, data } = (asked ?? {}) as { to?: string; data?: string }
  if (method !== 'eth_call' || !isIt(to)) return undefined
  if (data === SYMBOL) return AbiCoder.defaultAbiCoder().encode(['string'], [symbol])
  return data === DECIMALS ? AbiCoder.defaultAbiCoder().encode(['uint8'], [18]) : '0x'
}

/** Methods that simulate transactions. */
const SIMULATIONS: Readonly<Record<NonNullable<Request['node']>, readonly string[]>> = {
  simulate: ['eth_simulateV1', 'debug_traceCall'],
  trace: ['debug_traceCall'],
}

const refused = (error: unknown) => {
  throw nodeError({ code: -32000, message: error instanceof Error ? error.message : String(error) })
}

/**
 * Reads the real chain and caches it, because it does not change. The node has simulation methods only if the request
 * enables them.
 */
const factsOf = (rpc: Rpc, asked: () => Pick<Request, 'token' | 'node'>): Chain => {
  const known = new Map<string, Promise<unknown>>()
  return async (_network, method, params = []) => {
    const { token, node } = asked()
    const told = token && toldBy(token, method, params)
    if (told !== undefined) return told
    if (method === 'eth_estimateGas') return PLENTY
    if (SIMULATIONS.simulate.includes(method)) {
      const isThere = node !== undefined && SIMULATIONS[node].includes(method)
      if (!isThere) throw nodeError({ code: -32601, message: `no ${method} here` })
      return rpc(method, params).catch(refused)
    }
    const key = JSON.stringify([method, params])
    const answer = known.get(key) ?? rpc(method, params).catch(refused)
    known.set(key, answer)
    return answer
  }
}

const sentBy = (effect: Effect, from: string): Shown['sent'] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(call => sentBy(call, from))
  if (effect.kind !== 'transaction' || effect.to === null) return []
  const { to, value, data, fee, fees = {} } = effect
  const paid = Object.entries(fees).flatMap(([name, price]) => (typeof price === 'string' ? [[name, price]] : []))
  return [{ from, to, value: BigInt(value), data, fees: Object.fromEntries(paid), ...(fee && { gas: fee.gas }) }]
}

const symbolsIn = (effect: Effect): string[] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(symbolsIn)
  return effect.kind === 'transaction' ? effect.tokens.flatMap(({ symbol }) => symbol ?? []) : []
}

const feeOf = (effect: Effect): bigint => ('fee' in effect && effect.fee ? BigInt(effect.fee.atMost) : 0n)

const isSignature = ({ kind }: Effect) => kind === 'typedData' || kind === 'message'

const NOTHING: Shown = { level: 'blocked', findings: [], sent: [], symbols: [], fee: 0n, signature: null }
const LIMIT_EXCEEDED = -32005

/**
 * Starts a wallet that approves signature requests, to get the signature, and rejects transactions and other sites'
 * connections.
 */
const startReviewWith = async (rpc: Rpc, allowsForeignSignIn: boolean): Promise<Review> => {
  let time = NOW
  let seen: RequestView | undefined
  let current: Pick<Request, 'token' | 'node'> = {}
  const chain = factsOf(rpc, () => current)
  const options = { chain, now: () => time, store: { local: plainStore(), session: plainStore() } }
  const { wallet: first } = startWallet(options)
  // The wallet has private keys instead of a phrase, because each signature would derive the keys of a phrase again.
  await first.ui.createVault({ password: PASSWORD, privateKey: FIRST_KEY })
  await first.ui.importPrivateKey({ privateKey: SECOND_KEY, name: 'Second' })
  await first.ui.saveContact({ address: FRIEND, name: 'Friend' })
  await first.ui.showToken({ token: LISTED, address: ADDRESS, chainId: CHAIN_ID })
  await first.ui.setSafety({ allowsForeignSignIn })
  const person = (request: RequestView) => {
    seen = request
    if (request.effect.kind !== 'connect') return { approve: isSignature(request.effect) }
    return { approve: request.origin === SITE, accounts: request.effect.accounts.map(({ address }) => address) }
  }
  const { wallet } = startWallet({ ...options, person })
  const connect = { id: 'connect both', method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
  await wallet.request(SITE, connect)

  let asked = 0
  const ask: Review = async request => {
    const { method, params, chainId, origin = SITE } = request
    time += PAUSE
    seen = undefined
    current = request
    const sent = { id: `case ${asked++}`, method, params, ...(chainId !== undefined && { chainId }) }
    const answer = await wallet.request(origin, sent).catch((error: unknown) => error)
    if (seen === undefined) {
      if (!(answer instanceof RpcError) || answer.code === LIMIT_EXCEEDED) throw answer
      return { ...NOTHING, findings: [`refused ${answer.code}`] }
    }
    const { effect, findings, account } = seen as RequestView
    return {
      level: levelOf(findings),
      findings: findings.map(({ level, name }) => `${level} ${name}`),
      sent: sentBy(effect, account?.address ?? ADDRESS),
      symbols: symbolsIn(effect),
      fee: feeOf(effect),
      signature: typeof answer === 'string' && isSignature(effect) ? answer : null,
    }
  }
  const inTurn = createSerialQueue()
  return request => inTurn(() => ask(request))
}

/**
 * Starts a wallet with the default settings, and a wallet that allows sign-ins to other sites. The second one reviews
 * every request, except those with `allowsForeignSignIn: false`.
 */
export const startReview = async (rpc: Rpc): Promise<Review> => {
  const [byDefault, lenient] = [await startReviewWith(rpc, false), await startReviewWith(rpc, true)]
  return request => (request.allowsForeignSignIn === false ? byDefault : lenient)(request)
}
