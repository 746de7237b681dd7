/** Typed data that authorizes others to make calls for an account. */
import type { Hex } from '@heliograph/shared/evm/hex'
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import { referencesOf } from '@heliograph/shared/evm/typed-data-types'
import type { Finding, SignedForm } from '../../messages.ts'
import { readCarried } from './call.ts'
import { finding } from './findings.ts'
import { refundAct, refundOf, refundPayment } from './safe-refunds.ts'
import { ADDRESS, AMOUNT, BYTES, contractOf, type Form, type Given, has, type Reader, text } from './typed-fields.ts'
import { callFor, callsOfOperation, delegateFrom, type Inner } from './wrappers.ts'

const formOf = (form: SignedForm, calls: readonly Inner[]): Form => ({ form, ...readCarried(calls) })

/**
 * Receiver of the refund if a Safe transaction names none: the refund then goes to the account that executes the
 * transaction.
 */
const ANYBODY = `0x${'0'.repeat(40)}`

/** Fields of the refund, with their types. Version 0.1 names one of them differently. */
const REFUND: Readonly<Record<string, readonly [RegExp, ...string[]]>> = {
  baseGas: [AMOUNT, 'baseGas', 'dataGas'],
  safeTxGas: [AMOUNT, 'safeTxGas'],
  gasPrice: [AMOUNT, 'gasPrice'],
  gasToken: [ADDRESS, 'gasToken'],
  refundReceiver: [ADDRESS, 'refundReceiver'],
}

const refundIn = (message: Given, safe: string) => {
  const field = (name: string): string => {
    const [type, ...names] = REFUND[name] ?? [AMOUNT]
    const declared = names.find(other => has(message, { [other]: type }))
    return declared === undefined ? '' : text(message, declared)
  }
  return refundOf(field, safe, ANYBODY)
}

/**
 * Reads a Safe transaction: the Safe makes a call or a delegatecall, and may pay for its gas.
 * https://github.com/safe-global/safe-smart-account
 */
export const safeTransaction: Reader = (data, message) => {
  const safe = contractOf(data)
  const wanted = { to: ADDRESS, value: AMOUNT, data: BYTES, operation: AMOUNT }
  if (safe === undefined || !has(message, wanted)) return undefined
  const [to, called] = [text(message, 'to'), text(message, 'data') as Hex]
  const call =
    text(message, 'operation') === '0'
      ? callFor(safe, to, text(message, 'value'), called)
      : delegateFrom({ to: safe, account: safe, self: safe }, to, called)
  const refund = refundIn(message, safe)
  const form = formOf('safeTransaction', [call, ...(refund?.token === null ? [refundPayment(refund)] : [])])
  return refund === undefined || refund.token === null ? form : { ...form, acts: [...form.acts, refundAct(refund)] }
}

/** Reads a user operation as signed since version 0.8 of the entry point. https://eips.ethereum.org/EIPS/eip-4337 */
export const userOperation: Reader = (data, message) => {
  if (!has(message, { sender: ADDRESS, initCode: BYTES, callData: BYTES })) return undefined
  const [sender, initCode, callData] = [text(message, 'sender'), text(message, 'initCode'), text(message, 'callData')]
  const operation = { sender, initCode: initCode as Hex, callData: callData as Hex }
  return formOf('userOperation', callsOfOperation(operation, contractOf(data) ?? sender))
}

/** Reads a user operation of a Safe with the Safe4337Module. */
export const safeOperation: Reader = (_, message) => {
  if (!has(message, { safe: ADDRESS, initCode: BYTES, callData: BYTES, entryPoint: ADDRESS })) return undefined
  const [sender, initCode, callData] = [text(message, 'safe'), text(message, 'initCode'), text(message, 'callData')]
  const operation = { sender, initCode: initCode as Hex, callData: callData as Hex }
  return formOf('userOperation', callsOfOperation(operation, text(message, 'entryPoint')))
}

/**
 * Reads a forwarded request: the called contract treats `from` as the sender. https://eips.ethereum.org/EIPS/eip-2771
 */
export const forwardRequest: Reader = (_, message) => {
  if (!has(message, { from: ADDRESS, to: ADDRESS, data: BYTES })) return undefined
  const value = has(message, { value: AMOUNT }) ? text(message, 'value') : '0'
  const [from, to] = [text(message, 'from'), text(message, 'to')]
  return formOf('forwardRequest', [callFor(from, to, value, text(message, 'data') as Hex)])
}

/** Reads a native meta transaction: the token executes its holder's call, which someone else submits. */
export const metaTransaction: Reader = (data, message) => {
  const contract = contractOf(data)
  if (contract === undefined || !has(message, { from: ADDRESS, functionSignature: BYTES })) return undefined
  const called = text(message, 'functionSignature') as Hex
  return formOf('forwardRequest', [callFor(text(message, 'from'), contract, '0', called)])
}

const AUTHORIZATION_NAME = /authori[sz]|delegat|setcode|7702/i

/**
 * True for a struct named like an authorization, with exactly chain id, address and nonce:
 * https://eips.ethereum.org/EIPS/eip-7702
 */
export const isAuthorization = ({ types }: TypedData, name: string): boolean => {
  const fields = types[name] ?? []
  const typeOf = (wanted: string) => fields.find(field => field.name === wanted)?.type ?? ''
  return (
    AUTHORIZATION_NAME.test(name) &&
    fields.length === 3 &&
    AMOUNT.test(typeOf('chainId')) &&
    AMOUNT.test(typeOf('nonce')) &&
    fields.some(({ type }) => type === 'address')
  )
}

/**
 * Finds EIP-7702 authorizations, which hand over the account, in the primary type and in all types that it references.
 */
export const reviewAuthorizations = (data: TypedData): Finding[] =>
  [data.primaryType, ...referencesOf(data.primaryType, data.types)].some(name => isAuthorization(data, name))
    ? [finding('danger', 'handsOverAccount')]
    : []
