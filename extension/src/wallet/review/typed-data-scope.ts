/**
 * Reviews the scope of typed data: other chains and contracts, undeclared fields, and texts that look like sign-ins.
 */
import type { TypedData, TypedDataValue } from '@heliograph/shared/evm/typed-data'
import type { Finding, SignedForm } from '../../messages.ts'
import { MALFORMED_SIGN_IN, reviewSignIn, type SignInFacts } from './sign-in.ts'
import { ADDRESS, domainOf, type Given, has, text } from './typed-fields.ts'

/** Maximum number of undeclared fields that a finding names. */
const MAX_NAMED = 5

/** Built-in types whose salts can be numbers: bytes in hex, or integers. */
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
  if (inSalt !== null) return [{ level: 'caution', name: 'chainIdInSalt', values: [String(inSalt)] }]
  return domain.values.chainId === undefined ? [{ level: 'caution', name: 'noChainId', values: [] }] : []
}

/** Reports a contract that is not an address, because only the app can check it. */
const reviewContract = (domain: Given): Finding[] =>
  Object.hasOwn(domain.fields, 'verifyingContract') && !has(domain, { verifyingContract: ADDRESS })
    ? [{ level: 'caution', name: 'contractAsText', values: [text(domain, 'verifyingContract')] }]
    : []

const reviewUndeclared = (places: readonly string[]): Finding[] => {
  if (places.length === 0) return []
  const values = places.length > MAX_NAMED ? [...places.slice(0, MAX_NAMED), '…'] : [...places]
  return [{ level: 'caution', name: 'undeclaredFields', values }]
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
