/** Typed access to fields in typed data. */
import type { TypedData, TypedDataStruct, TypedDataValue } from '@heliograph/shared/evm/typed-data'
import { DOMAIN_TYPE } from '@heliograph/shared/evm/typed-data-types'
import type { Act, Finding, SignedForm } from '../../messages.ts'
import { boundedAmount } from './amounts.ts'
import type { Payment } from './call.ts'

/** A recognized form and its effects. `findings` has only findings that the acts do not imply. */
export type Form = {
  form: SignedForm
  acts: readonly Act[]
  payments?: readonly Payment[]
  findings?: readonly Finding[]
}

/** A struct and the declared types of its fields. */
export type Given = { fields: Readonly<Record<string, string>>; values: TypedDataStruct }

const isStruct = (value: TypedDataValue | undefined): value is TypedDataStruct =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const given = ({ types }: TypedData, name: string, value: TypedDataValue | undefined): Given | undefined =>
  isStruct(value) && Object.hasOwn(types, name)
    ? { fields: Object.fromEntries((types[name] ?? []).map(field => [field.name, field.type])), values: value }
    : undefined

/** True if the struct declares all wanted fields with matching types. */
export const has = ({ fields }: Given, wanted: Readonly<Record<string, RegExp>>): boolean =>
  Object.entries(wanted).every(([name, type]) => Object.hasOwn(fields, name) && type.test(fields[name] ?? ''))

/** True if the struct declares exactly these fields, in this order: `address to, uint256 value`. */
export const isExactly = ({ fields }: Given, wanted: string): boolean =>
  Object.entries(fields)
    .map(([name, type]) => `${type} ${name}`)
    .join(', ') === wanted

export const ADDRESS = /^address$/
export const BOOL = /^bool$/
export const BYTES = /^bytes$/
export const AMOUNT = /^uint(?:\d+)$/
const LIST = /^([A-Za-z_]\w*)(?:\[\d*\])+$/

export const text = ({ values }: Given, name: string): string => String(values[name])
export const amount = (struct: Given, name: string): string | null =>
  boundedAmount(struct.fields[name] ?? '', text(struct, name))

/** Returns the domain and the declared types of its fields. */
export const domainOf = (data: TypedData): Given => given(data, DOMAIN_TYPE, data.domain) ?? { fields: {}, values: {} }

/**
 * Returns the verifying contract. Undefined if the domain names none, or names it as text or as anything but an
 * address.
 */
export const contractOf = (data: TypedData): string | undefined => {
  const domain = domainOf(data)
  return has(domain, { verifyingContract: ADDRESS }) ? text(domain, 'verifyingContract') : undefined
}

/** Returns a field that is a struct. */
export const structIn = (data: TypedData, { fields, values }: Given, name: string): Given | undefined =>
  given(data, fields[name] ?? '', values[name])

/** Returns the elements of a field that is a list of integers. Undefined for a field of another type. */
export const integersIn = ({ fields, values }: Given, name: string): readonly string[] | undefined => {
  const value = Object.hasOwn(fields, name) && /^uint\d+\[\d*\]$/.test(fields[name] ?? '') ? values[name] : undefined
  return Array.isArray(value) ? value.map(String) : undefined
}

const flatten = (value: TypedDataValue | undefined): readonly (TypedDataValue | undefined)[] =>
  Array.isArray(value) ? value.flatMap(flatten) : [value]

/** Returns the structs in a field that is a struct or a nested list of structs. */
export const list = (data: TypedData, struct: Given, name: string): Given[] => {
  const type = struct.fields[name] ?? ''
  const element = LIST.exec(type)?.[1] ?? type
  return flatten(struct.values[name]).flatMap(item => given(data, element, item) ?? [])
}

export type Reader = (data: TypedData, message: Given, account: string) => Form | undefined
