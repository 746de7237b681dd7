/**
 * Explains calls and typed data with the user's descriptors. The strict decoder comes first: data that it finds
 * malformed or unusual is not explained. An explanation has no effect on the checks.
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { decodeCall, decodeCallOf, selectorOf } from '@heliograph/shared/evm/calldata'
import { type Hex, isHex } from '@heliograph/shared/evm/hex'
import { describeTypedData, hashDomain, type TypedData } from '@heliograph/shared/evm/typed-data'
import { encodeType } from '@heliograph/shared/evm/typed-data-types'
import type { ExplainedView, Finding, TokenView, ValueView } from '../../messages.ts'
import type { Context } from '../requests/context.ts'
import type { ReadCall } from '../review/call.ts'
import { finding, once } from '../review/findings.ts'
import { contractOf } from '../review/typed-fields.ts'
import { readTokensAt } from '../tokens/tokens.ts'
import { type CallFormat, type Descriptor, type Format, MAX_FIELDS, type TypeFormat } from './descriptor.ts'
import { type Explainable, explainValue, type Located, locate, tokenOf } from './values.ts'

export type ExplainParts = Pick<Context, 'chain' | 'network' | 'assets' | 'descriptors'>

/** `findings` come from the strict decoder, for a function that only a descriptor defines. */
export type Explained = { explained?: ExplainedView; findings: readonly Finding[] }

/** Adds the findings from explanations. Existing findings stay unchanged. */
export const withUnread = (findings: readonly Finding[], explanations: readonly Explained[]): readonly Finding[] => {
  const added = once(explanations.flatMap(explanation => explanation.findings))
  return [...findings, ...added.filter(({ name }) => !findings.some(one => one.name === name))]
}

type Matched<F extends Format> = { descriptor: Descriptor; format: F }
type AskedCall = { from: string; to?: string | null | undefined; value: string; data: Hex }

const NOTHING: Explained = { findings: [] }
/** Maximum number of tokens whose symbols and decimals are read for an explanation. */
const MAX_TOKENS = 8

const leaf = (name: string, type: string, value: string): ValueView => ({ name, type, value })
const root = (value: readonly ValueView[]): ValueView => ({ name: '', type: '', value })

const isFor = ({ deployments }: Descriptor, chainId: number, contract: string): boolean =>
  deployments.some(one => one.chainId === chainId && sameAddress(one.address, contract))

/** Finds the newest descriptor that explains the call. */
const findCall = (
  kept: readonly Descriptor[],
  chainId: number,
  { to, data }: AskedCall,
): Matched<CallFormat> | undefined => {
  const selector = selectorOf(data)
  for (const descriptor of kept.toReversed()) {
    if (!to || descriptor.kind !== 'calls' || !isFor(descriptor, chainId, to)) continue
    const format = descriptor.formats.find(one => one.selector === selector)
    if (format) return { descriptor, format }
  }
  return undefined
}

type TypedDescriptor = Extract<Descriptor, { kind: 'typedData' }>

/** Compares texts. Case is ignored in hex. */
const isSame = (one: string, other: string): boolean =>
  one === other || (isHex(one) && one.toLowerCase() === other.toLowerCase())

/** True if the message's domain matches everything that the descriptor states about it. */
const hasDomain = ({ domain, separator }: TypedDescriptor, typedData: TypedData): boolean =>
  Object.entries(domain).every(([name, value]) => isSame(String(typedData.domain[name] ?? ''), value)) &&
  (separator === null || isSame(separator, hashDomain(typedData)))

const findType = (
  kept: readonly Descriptor[],
  chainId: number,
  contract: string,
  typedData: TypedData,
): Matched<TypeFormat> | undefined => {
  const { types, primaryType } = typedData
  const names = [encodeType(primaryType, types), primaryType]
  for (const descriptor of kept.toReversed()) {
    if (descriptor.kind !== 'typedData' || !isFor(descriptor, chainId, contract)) continue
    const format = descriptor.formats.find(({ type }) => names.includes(type))
    if (format && hasDomain(descriptor, typedData)) return { descriptor, format }
  }
  return undefined
}

const locateAll = (data: Explainable, { fields }: Format): readonly Located[] => {
  const located: Located[] = []
  for (const field of fields) {
    if (located.length > MAX_FIELDS) break
    located.push(...locate(data, field.value, MAX_FIELDS + 1).map(found => ({ ...found, field })))
  }
  return located
}

/** Returns the metadata of the amounts' tokens: from `known`, or else read from their contracts. */
const tokensFor = async (
  parts: ExplainParts,
  account: string,
  addresses: readonly string[],
  known: readonly TokenView[],
): Promise<readonly TokenView[]> => {
  const isKnown = (address: string) => known.some(token => sameAddress(token.address, address))
  const missing = [...new Set(addresses)].filter(address => !isKnown(address)).slice(0, MAX_TOKENS)
  return missing.length === 0 ? known : [...known, ...(await readTokensAt(parts, account, missing))]
}

const explain = async (
  parts: ExplainParts,
  { descriptor, format }: Matched<Format>,
  data: Explainable,
  request: { account: string; tokens: readonly TokenView[] },
): Promise<ExplainedView> => {
  const all = locateAll(data, format)
  const located = all.slice(0, MAX_FIELDS)
  const addresses = located.flatMap(one => tokenOf(data, one) ?? [])
  const tokens = await tokensFor(parts, request.account, addresses, request.tokens)
  const surroundings = { data, enums: descriptor.enums, tokens, currency: parts.network.currency }
  return {
    owner: descriptor.owner,
    source: descriptor.source,
    intent: format.intent,
    fields: located.map(one => ({ label: one.field.label, value: explainValue(one, surroundings) })),
    ...(all.length > MAX_FIELDS && { isCut: true }),
  }
}

/** Explains a transaction's call if a descriptor has its function. `tokens` are those already known. Never throws. */
export const explainCall = async (
  parts: ExplainParts,
  asked: AskedCall,
  tokens: readonly TokenView[],
  read: Pick<ReadCall, 'call' | 'by'> = { call: decodeCall(asked.data) },
): Promise<Explained> => {
  const { chainId } = parts.network
  const matched = findCall(await parts.descriptors.list(), chainId, asked)
  if (!matched) return NOTHING
  const call = decodeCallOf(asked.data, parseFunction(matched.format.text))
  // If the selector belongs to another function in the wallet's own table, the descriptor is not used.
  if (read.call && read.by === undefined && read.call.signature !== call.signature) return NOTHING
  if (call.kind === 'malformed') return { findings: [finding('danger', 'malformedCall', call.name)] }
  if (call.unusual) return { findings: [finding('caution', 'unusualEncoding')] }
  const around = root([
    leaf('from', 'address', asked.from),
    leaf('to', 'address', asked.to ?? ''),
    leaf('value', 'uint256', String(BigInt(asked.value))),
    leaf('chainId', 'uint256', String(chainId)),
  ])
  const data = { '#': root(call.args), '@': around }
  return { explained: await explain(parts, matched, data, { account: asked.from, tokens }), findings: [] }
}

/** Explains typed data that names its chain and contract if a descriptor has its type. Never throws. */
export const explainTypedData = async (
  parts: ExplainParts,
  typedData: TypedData,
  account: Address,
  tokens: readonly TokenView[],
): Promise<{ explained?: ExplainedView }> => {
  const { chainId } = typedData.domain
  const verifyingContract = contractOf(typedData)
  if (chainId === undefined || verifyingContract === undefined) return {}
  const matched = findType(await parts.descriptors.list(), Number(chainId), verifyingContract, typedData)
  if (!matched) return {}
  const { value } = describeTypedData(typedData).message
  const around = root([
    leaf('from', 'address', account),
    leaf('to', 'address', verifyingContract),
    leaf('chainId', 'uint256', String(chainId)),
  ])
  const data = { '#': root(typeof value === 'string' ? [] : value), '@': around }
  return { explained: await explain(parts, matched, data, { account, tokens }) }
}
