/**
 * Parses the fields in a descriptor's display formats. Unreadable parts are left out, because the request's data is
 * shown anyway.
 */
import { type Hex, isHex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import { MAX_DECIMALS } from '../text/values.ts'
import { cutText, type Field, type FieldFormat, MAX_FIELDS, type Path, type Source } from './descriptor.ts'
import { parsePath } from './paths.ts'

type Members = Record<string, unknown>

const MAX_DEPTH = 8
const ADDRESS_LENGTH = 42
const TOKEN = '$.metadata.token'
const DEFINITIONS = '$.display.definitions.'
const ENUMS = '$.metadata.enums.'
/** Maximum number of addresses that stand for the native currency. */
const MAX_NATIVES = 8

/** Returns an object's members that are not null. Empty for any other value. */
const present = (value: unknown): Members =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : {}

/** Returns the value at a path such as `$.metadata.constants.max`. Inherited members are ignored. */
const constantAt = (descriptor: Members, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      descriptor,
    )

const textOf = (value: unknown): string | null =>
  ['string', 'number', 'boolean'].includes(typeof value) ? cutText(String(value)) : null

/** Returns a text, or the constant to which it refers. */
const constantOf = (descriptor: Members, value: unknown): string | null =>
  textOf(typeof value === 'string' && value.startsWith('$.') ? constantAt(descriptor, value) : value)

const isAddress = (value: string | null): value is Hex => isHex(value) && value.length === ADDRESS_LENGTH

/** Parses a reference to a value. The descriptor's own token is the called contract. */
const sourceAt = (descriptor: Members, value: unknown, base?: Path): Source | null => {
  if (typeof value !== 'string') return null
  if (value === TOKEN) return { path: { root: '@', steps: ['to'] } }
  if (isAddress(value)) return { text: value }
  if (value.startsWith('$.')) {
    const text = constantOf(descriptor, value)
    return text === null ? null : { text }
  }
  const path = parsePath(value, base)
  return path ? { path } : null
}

const nativesOf = (descriptor: Members, value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .slice(0, MAX_NATIVES)
    .map(one => constantOf(descriptor, one))
    .filter(isAddress)

const tokenAmountOf = (descriptor: Members, params: Members, base?: Path): FieldFormat => {
  // A token on another chain cannot be read from this chain's node, so the token is left out.
  const isElsewhere = params.chainId !== undefined || params.chainIdPath !== undefined
  return {
    as: 'tokenAmount',
    token: isElsewhere ? null : sourceAt(descriptor, params.token ?? params.tokenPath, base),
    natives: nativesOf(descriptor, params.nativeCurrencyAddress),
    threshold: constantOf(descriptor, params.threshold),
    message: constantOf(descriptor, params.message),
  }
}

const unitOf = (descriptor: Members, { base, decimals = 0 }: Members): FieldFormat =>
  typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS
    ? { as: 'unit', base: constantOf(descriptor, base) ?? '', decimals }
    : { as: 'raw' }

const enumOf = ({ $ref }: Members): FieldFormat =>
  typeof $ref === 'string' && $ref.startsWith(ENUMS) ? { as: 'enum', labels: $ref.slice(ENUMS.length) } : { as: 'raw' }

/** Parses a format. A value with an unknown format is shown as it is. */
const formatOf = (descriptor: Members, format: unknown, params: Members, base?: Path): FieldFormat => {
  switch (format) {
    case 'amount':
    case 'duration':
      return { as: format }
    case 'date':
      return { as: params.encoding === 'blockheight' ? 'raw' : 'date' }
    case 'addressName':
      return { as: 'address' }
    case 'tokenAmount':
      return tokenAmountOf(descriptor, params, base)
    case 'nftName':
      return { as: 'item', collection: sourceAt(descriptor, params.collection ?? params.collectionPath, base) }
    case 'unit':
      return unitOf(descriptor, params)
    case 'enum':
      return enumOf(params)
    default:
      return { as: 'raw' }
  }
}

/** Merges a field with the definition to which it refers. */
const withDefinition = (descriptor: Members, field: Members): Members => {
  const { $ref } = field
  if (typeof $ref !== 'string' || !$ref.startsWith(DEFINITIONS)) return field
  const defined = present(constantAt(descriptor, $ref))
  return { ...defined, ...field, params: { ...present(defined.params), ...present(field.params) } }
}

const sourceOf = (descriptor: Members, { path, value }: Members, base?: Path): Source | null => {
  if (value === undefined) return sourceAt(descriptor, path, base)
  const text = constantOf(descriptor, value)
  return text === null ? null : { text }
}

const fieldOf = (descriptor: Members, given: Members, base?: Path): Field[] => {
  const field = withDefinition(descriptor, given)
  const value = sourceOf(descriptor, field, base)
  if (field.visible === 'never' || value === null) return []
  const format = formatOf(descriptor, field.format, present(field.params), base)
  return [{ label: constantOf(descriptor, field.label) ?? '', value, format }]
}

/**
 * Returns a list's fields, with groups replaced by their fields. Stops one field after the number that an explanation
 * shows, so that a cut is noticed.
 */
export const readFields = (descriptor: Members, list: unknown, base?: Path, depth = 0): readonly Field[] => {
  const fields: Field[] = []
  for (const entry of Array.isArray(list) && depth < MAX_DEPTH ? list : []) {
    if (fields.length > MAX_FIELDS) break
    const given = present(entry)
    fields.push(...('fields' in given ? groupOf(descriptor, given, depth, base) : fieldOf(descriptor, given, base)))
  }
  return fields.slice(0, MAX_FIELDS + 1)
}

const groupOf = (descriptor: Members, { path, fields }: Members, depth: number, base?: Path): readonly Field[] => {
  if (path === undefined) return readFields(descriptor, fields, base, depth + 1)
  const group = parsePath(String(path), base)
  return group ? readFields(descriptor, fields, group, depth + 1) : []
}

const MOST_INTENTS = 5

/** Reads an intent, which is a sentence, or an object of named texts. */
export const readIntent = (value: unknown): string | null => {
  if (!isObject(value)) return typeof value === 'string' && value.trim() !== '' ? cutText(value.trim()) : null
  const lines = Object.entries(value).slice(0, MOST_INTENTS)
  const texts = lines.flatMap(([name, text]) => (typeof text === 'string' ? [`${name}: ${text}`] : []))
  return texts.length === 0 ? null : cutText(texts.join(', '))
}

/** Returns the labels of enum values, by the enum's name. */
export const readEnums = (metadata: unknown): Record<string, Record<string, string>> =>
  Object.fromEntries(
    Object.entries(present(present(metadata).enums)).map(([name, labels]) => [
      name,
      Object.fromEntries(
        Object.entries(present(labels)).flatMap(([value, label]) =>
          typeof label === 'string' ? [[value, cutText(label)]] : [],
        ),
      ),
    ]),
  )
