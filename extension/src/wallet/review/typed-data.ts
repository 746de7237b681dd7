/**
 * Reviews typed data, and its scope: other chains and contracts, undeclared fields, and texts that look like sign-ins.
 * Data in an unknown form is shown in full, with a caution.
 */
import { describeTypedData, type TypedData, type TypedDataValue } from '@heliograph/shared/evm/typed-data'
import { describeTypedValues, type TypedValue } from '@heliograph/shared/evm/typed-data-v1'
import type { AddressFacts, Finding, SignedForm, TokenView } from '../../messages.ts'
import { hasHiddenCharacters } from '../text/text.ts'
import { paymentsIn } from './call.ts'
import { reviewAuthorizations } from './carried-calls.ts'
import { finding, once } from './findings.ts'
import { readForm } from './forms.ts'
import { MALFORMED_SIGN_IN, type Review, reviewSignIn, type SignInFacts } from './message.ts'
import { ADDRESS, contractOf, domainOf, type Given, has, text } from './typed-fields.ts'

/** Primary types whose signature lets others take tokens without a transaction by the signer. */
const MOVES_TOKENS =
  /^Permit|^(?:Order|OrderComponents|BulkOrder|MetaTransaction|TransferWithAuthorization|ReceiveWithAuthorization)$/

/** Forms whose signature lets others make calls. */
const CARRIES_CALLS: readonly (SignedForm | null)[] = ['userOperation', 'forwardRequest']

const hiddenIn = (json: string): Finding[] =>
  hasHiddenCharacters(json) ? [finding('caution', 'hiddenCharacters')] : []

/** Reviews version 1, a plain list of values, which is not bound to a site, contract or chain. */
export const reviewTypedValues = (values: readonly TypedValue[]): Review => {
  const json = JSON.stringify(values, null, 2)
  const message = { name: '', type: '', value: describeTypedValues(values) }
  return {
    effect: { kind: 'typedData', domain: [], primaryType: null, message, json, form: null, acts: [], tokens: [] },
    findings: [finding('caution', 'oldTypedData'), ...hiddenIn(json)],
  }
}

/** Returns findings about the form, in addition to its acts: it is unknown, or others make the calls. */
const reviewForm = ({ primaryType }: TypedData, form: SignedForm | null): Finding[] => {
  if (form === null) return [finding('caution', MOVES_TOKENS.test(primaryType) ? 'movesTokens' : 'unknownFormat')]
  return CARRIES_CALLS.includes(form) ? [finding('caution', 'makesCalls')] : []
}

/**
 * Reviews typed data. `account` is the signer, `tokens` are the token contracts' own metadata, `facts` the node's
 * information about other addresses.
 */
export const reviewTypedData = (
  typedData: TypedData,
  account: string,
  tokens: readonly TokenView[] = [],
  facts?: AddressFacts,
): Review => {
  const { domain, message } = describeTypedData(typedData)
  const { undeclared: _, ...signed } = typedData
  const { primaryType } = signed
  const json = JSON.stringify(signed, null, 2)
  const { form, acts, payments = [], findings = [] } = readForm(typedData, account) ?? { form: null, acts: [] }
  const contract = contractOf(typedData) ?? null
  return {
    effect: {
      kind: 'typedData',
      domain,
      primaryType,
      message,
      json,
      form,
      acts,
      ...paymentsIn({ payments }),
      tokens,
      contract,
      ...(facts && { facts }),
    },
    findings: once([
      ...reviewAuthorizations(typedData),
      ...findings,
      ...reviewForm(typedData, form),
      ...hiddenIn(json),
    ]),
  }
}

/** Maximum number of undeclared fields that a finding names. */
const MAX_NAMED = 5

/** Matches the types of a salt that can hold a number: fixed-size bytes, written in hex, and integers. */
const NUMBER = /^(?:bytes\d+|u?int\d+)$/

/** Returns a chain id in the salt, which EIP-712 allows. Other salts are hashes, which are never that small. */
const chainIdIn = (domain: Given): bigint | null => {
  if (!has(domain, { salt: NUMBER })) return null
  const number = BigInt(text(domain, 'salt'))
  return number > 0n && number <= BigInt(Number.MAX_SAFE_INTEGER) ? number : null
}

/** Reports a domain without a chain id in its usual field: the signature may be valid on other chains. */
const reviewChain = (domain: Given): Finding[] => {
  const inSalt = chainIdIn(domain)
  if (inSalt !== null) return [finding('caution', 'chainIdInSalt', inSalt)]
  return domain.values.chainId === undefined ? [finding('caution', 'noChainId')] : []
}

/** Reports a verifying contract that is not declared as an address, because only the app can check it. */
const reviewContract = (domain: Given): Finding[] =>
  Object.hasOwn(domain.fields, 'verifyingContract') && !has(domain, { verifyingContract: ADDRESS })
    ? [finding('caution', 'contractAsText', text(domain, 'verifyingContract'))]
    : []

const reviewUndeclared = (places: readonly string[]): Finding[] => {
  if (places.length === 0) return []
  const named = places.length > MAX_NAMED ? [...places.slice(0, MAX_NAMED), '…'] : places
  return [finding('caution', 'undeclaredFields', ...named)]
}

const textsIn = (value: TypedDataValue): string[] => {
  if (typeof value === 'string') return [value]
  return value === null || typeof value === 'boolean' ? [] : Object.values(value).flatMap(textsIn)
}

/** Reviews texts that look like sign-ins. Within typed data, each of them counts as malformed. */
export const reviewTexts = (texts: readonly string[], facts: SignInFacts): Finding[] => {
  const found = texts.flatMap(text => reviewSignIn(text, facts).findings)
  if (found.length === 0) return []
  const dangers = found.filter(({ level }) => level === 'danger')
  const first = dangers.filter(({ name }, at) => dangers.findIndex(danger => danger.name === name) === at)
  return [...first, MALFORMED_SIGN_IN]
}

/** Returns findings about the domain, undeclared fields, and texts that look like sign-ins. */
export const reviewScope = (data: TypedData, facts: SignInFacts, form: SignedForm | null = null): Finding[] => [
  ...reviewTexts(textsIn([data.domain, data.message]), facts),
  // Data that moves nothing is harmless on every chain, so its chain is not reviewed.
  ...(form === 'calm' ? [] : reviewChain(domainOf(data))),
  ...reviewContract(domainOf(data)),
  ...reviewUndeclared(data.undeclared),
]
