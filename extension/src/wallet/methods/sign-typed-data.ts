/**
 * Methods that sign structured data: `signTypedData` under each prefix, and its versions 3 and 4 (EIP-712).
 * https://eips.ethereum.org/EIPS/eip-712
 */
import { fromChainCase, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import {
  hashTypedData,
  parseTypedData,
  signTypedData as signData,
  type TypedData,
  type TypedDataVersion,
} from '@heliograph/shared/evm/typed-data'
import { parseTypedValues, signTypedValues } from '@heliograph/shared/evm/typed-data-v1'
import {
  isTypedValues,
  nodeSchemas,
  type SignTypedDataParams,
  type SignTypedValuesParams,
} from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type * as v from 'valibot'
import { explainTypedData } from '../descriptors/explain.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { type Asking, type Context, requireAccount, signWith } from '../requests/context.ts'
import type { Draft, WalletRequest } from '../requests/store.ts'
import { readForm } from '../review/forms.ts'
import type { SignInFacts } from '../review/message.ts'
import { reviewScope, reviewTexts, reviewTypedData, reviewTypedValues } from '../review/typed-data.ts'
import { contractOf } from '../review/typed-fields.ts'
import { rpcError } from '../text/errors.ts'
import { readTokens } from '../tokens/tokens.ts'
import { checkAddresses, factsOf } from '../transactions/address-checks.ts'
import { checkedFacts, compareFor } from '../transactions/checked-facts.ts'

/** What an approval signs: version 1's list of values, or the EIP-712 data of versions 3 and 4. */
type Payload = { version: 'V1'; values: readonly unknown[] } | { version: TypedDataVersion; data: unknown }

/** Parses the params. Only the account may have the chain's checksum: the data is signed as written. */
const parseSigning = <S extends v.GenericSchema>(
  { network }: Pick<Context, 'network'>,
  params: unknown,
  schema: S,
): v.InferOutput<S> =>
  parseParams(Array.isArray(params) ? params.map(param => fromChainCase(param, network.chainId)) : params, schema)

/** Rejects data for another chain than the site's, which is the chain shown to the user. */
const assertChain = ({ network }: Context, { domain }: TypedData) => {
  if (domain.chainId === undefined || BigInt(String(domain.chainId)) === BigInt(network.chainId)) return
  throw rpcError('invalidParams', 'typedDataOtherChain', { asked: String(domain.chainId), active: network.chainId })
}

/** Rejects data whose verifying contract is one of the wallet's own accounts, which can only be meant to mislead. */
const assertContract = async ({ requester, grants, vault }: Context, { domain }: TypedData) => {
  const contract = domain.verifyingContract
  const ofSite = (await grants.siteOf(requester))?.accounts ?? []
  const all = (await vault.peek())?.accounts.map(({ address }) => address) ?? []
  if (typeof contract === 'string' && [...ofSite, ...all].some(account => sameAddress(account, contract)))
    throw rpcError('invalidParams', 'ownVerifyingContract')
}

const signInFacts = async (context: Context, account: string): Promise<SignInFacts> => ({
  origin: context.origin,
  claimed: await context.grants.claimedUrl(context.requester),
  account,
  chainId: context.network.chainId,
  now: context.now(),
  registrableDomain: await context.registrableDomain(),
})

const prepareTypedData = async (
  asked: Context,
  params: SignTypedDataParams,
  version: TypedDataVersion,
): Promise<Draft> => {
  const account = await requireAccount(asked, params.account)
  const context = { ...asked, network: onBehalfOf(asked.network, account) }
  const typedData = parseTypedData(params.data, context.network.chainId)
  assertChain(context, typedData)
  await assertContract(context, typedData)
  // Rejects data that cannot be signed in this version, before the user is asked.
  hashTypedData(typedData, version)
  const payload: Payload = { version, data: params.data }
  const { acts = [], payments = [], form = null } = readForm(typedData, account) ?? {}
  const contract = contractOf(typedData)
  const safes = contract === undefined ? [] : [contract]
  const addressed = [{ account, calls: [], acts, payments, safes }]
  const [tokens, checks, comparison] = await Promise.all([
    readTokens(context, account, acts),
    checkAddresses(context, addressed),
    compareFor(context, addressed, 'signs'),
  ])
  const { checked, findings: differences } = checkedFacts(comparison, { facts: checks, tokens })
  const { effect, findings } = reviewTypedData(typedData, account, tokens, factsOf(checks))
  const explanation = await explainTypedData(context, typedData, account, tokens)
  const scope = reviewScope(typedData, await signInFacts(context, account), form)
  return {
    account,
    payload,
    effect: { ...effect, ...explanation, ...(checked && { checked }) },
    findings: [...findings, ...scope, ...differences],
  }
}

const prepareTypedValues = async (context: Context, params: SignTypedValuesParams): Promise<Draft> => {
  const account = await requireAccount(context, params.account)
  const values = parseTypedValues(params.values, context.network.chainId)
  const payload: Payload = { version: 'V1', values }
  const { effect, findings } = reviewTypedValues(values)
  const texts = values.map(({ value }) => String(value))
  return {
    account,
    payload,
    effect,
    findings: [...findings, ...reviewTexts(texts, await signInFacts(context, account))],
  }
}

const actOnTypedData = async (context: Context, request: WalletRequest): Promise<Hex> => {
  const payload = request.payload as Payload
  if ('values' in payload)
    return signWith(context, request, key => signTypedValues(parseTypedValues(payload.values), key))
  const typedData = parseTypedData(payload.data, context.network.chainId)
  // The wallet may have been locked when the request arrived. Only now are all its accounts known.
  await assertContract(context, typedData)
  return signWith(context, request, key => signData(typedData, key, payload.version))
}

/**
 * `signTypedData`: signs EIP-712 data (version 4), as specified, if the first param is the account. Signs by the old
 * version 1 if the first param is a list of values.
 */
export const signTypedData: Asking = {
  prepare: async (context, params) =>
    isTypedValues(params)
      ? prepareTypedValues(context, parseSigning(context, params, nodeSchemas.signTypedData_v1))
      : prepareTypedData(context, parseSigning(context, params, nodeSchemas.signTypedData), 'V4'),
  act: actOnTypedData,
}

/** `signTypedData_v3`: EIP-712 without arrays and null references, which version 3 cannot encode. */
export const signTypedDataV3: Asking = {
  prepare: (context, params) =>
    prepareTypedData(context, parseSigning(context, params, nodeSchemas.signTypedData), 'V3'),
  act: actOnTypedData,
}

/** `signTypedData_v4`: EIP-712. */
export const signTypedDataV4: Asking = {
  prepare: (context, params) =>
    prepareTypedData(context, parseSigning(context, params, nodeSchemas.signTypedData), 'V4'),
  act: actOnTypedData,
}
