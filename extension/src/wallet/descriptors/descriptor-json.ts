/** Parses descriptors from JSON: a single one, or a list. https://eips.ethereum.org/EIPS/eip-7730 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { type Address, isAddress, toAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import * as v from 'valibot'
import { functionsOfAbi, type NamedFunction } from '../review/abi-file.ts'
import { fail } from '../text/errors.ts'
import {
  type CallFormat,
  cutText,
  type Deployment,
  type DescriptorContent,
  MAX_DESCRIPTOR_SIZE,
  MAX_DESCRIPTORS,
  MAX_DESCRIPTORS_SIZE,
  type TypeFormat,
} from './descriptor.ts'
import { readEnums, readFields, readIntent } from './fields.ts'

/** Maximum characters of a key of `formats`: a function with parameter names, or a type. */
const MAX_KEY = 4_000
const MAX_FUNCTION_NAME = 100
/** Limits: nesting of tuples in a function's type, and dimensions of arrays. */
const MAX_TUPLES = 16
const TOO_MANY_ARRAYS = /(?:\[\d*\]){9}/

/**
 * Returns the functions in the descriptor's ABI, by signature and by selector. Empty if the ABI is missing or
 * unreadable.
 */
const functionsIn = (abi: unknown): ReadonlyMap<string, NamedFunction> => {
  if (!Array.isArray(abi)) return new Map()
  try {
    const functions = functionsOfAbi(JSON.stringify(abi))
    return new Map(functions.flatMap(one => [[one.signature, one] as const, [one.selector, one] as const]))
  } catch {
    return new Map()
  }
}

/** True for types that are so deeply nested that decoding takes a long time. */
const isNested = (key: string): boolean => {
  let depth = 0
  let most = 0
  for (const character of key) {
    if (character === '(') depth++
    if (character === ')') depth--
    most = Math.max(most, depth)
  }
  return most > MAX_TUPLES + 1 || TOO_MANY_ARRAYS.test(key)
}

/**
 * Parses a key that is a function with parameter names, or finds it in the descriptor's ABI. Undefined if neither
 * works.
 */
export const functionOf = (
  key: string,
  known: ReadonlyMap<string, NamedFunction>,
): { selector: Hex; text: string } | undefined => {
  if (key.length > MAX_KEY || isNested(key)) return undefined
  try {
    const { name, selector } = parseFunction(key)
    return name.length > MAX_FUNCTION_NAME ? undefined : { selector, text: key }
  } catch {
    const found = known.get(key)
    return found && { selector: found.selector, text: found.text }
  }
}

/** Maximum nesting depth of the JSON. */
const MAX_DEPTH = 64

const Members = v.record(v.string(), v.unknown())
const optional = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema), undefined)

const Deployed = v.object({
  chainId: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  address: v.pipe(v.string(), v.check(isAddress)),
})
/** Keeps only members that an EIP-712 domain can have. */
const Domain = v.pipe(
  Members,
  v.transform(members =>
    Object.fromEntries(
      Object.entries(members).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
      ),
    ),
  ),
)
const Shape = v.object({
  includes: v.optional(v.unknown()),
  context: v.object({
    contract: v.nullish(v.object({ deployments: v.optional(v.unknown()), abi: v.optional(v.unknown()) })),
    eip712: v.nullish(
      v.object({
        deployments: v.optional(v.unknown()),
        domain: optional(Domain),
        domainSeparator: optional(v.string()),
      }),
    ),
  }),
  metadata: optional(Members),
  display: v.object({ formats: Members }),
})
type Read = v.InferOutput<typeof Shape>

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** Throws if the value is nested too deeply for recursive functions such as JSON.stringify. */
const assertShallow = (value: unknown, place: string) => {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) fail(place, value, 'tooDeep', { limit: MAX_DEPTH })
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
}

const parseJson = (text: string): unknown => {
  if (sizeOf(text) > MAX_DESCRIPTORS_SIZE)
    return fail('descriptors', text, 'descriptorTooLong', { limit: MAX_DESCRIPTORS_SIZE })
  try {
    return JSON.parse(text)
  } catch {
    return fail('descriptors', text, 'notJson')
  }
}

/** Parses deployments. Invalid ones are left out. */
const deploymentsOf = (list: unknown): Deployment[] =>
  (Array.isArray(list) ? list : []).flatMap(entry => {
    const read = v.safeParse(Deployed, entry)
    return read.success ? [{ chainId: read.output.chainId, address: addressOf(read.output.address) }] : []
  })

const addressOf = (text: string): Address => toAddress(text.toLowerCase())

/** Parses the formats. Skips formats without an intent and without fields. */
const formatsOf = <T extends object>(
  raw: Record<string, unknown>,
  { display }: Read,
  readKey: (key: string) => T | undefined,
) =>
  Object.entries(display.formats).flatMap(([key, given]) => {
    if (!isObject(given)) return []
    const named = readKey(key)
    const format = { intent: readIntent(given.intent), fields: readFields(raw, given.fields) }
    return named && (format.intent !== null || format.fields.length > 0) ? [{ ...named, ...format }] : []
  })

const callFormats = (raw: Record<string, unknown>, read: Read): CallFormat[] => {
  const known = functionsIn(read.context.contract?.abi)
  return formatsOf(raw, read, key => functionOf(key, known))
}

const typeFormats = (raw: Record<string, unknown>, read: Read): TypeFormat[] =>
  formatsOf(raw, read, type => (type.length > MAX_KEY ? undefined : { type }))

/** Returns the listed deployments. If there are none, the domain itself can name the contract. */
const signedDeployments = ({ deployments, domain }: NonNullable<Read['context']['eip712']>): Deployment[] => {
  const listed = deploymentsOf(deployments)
  return listed.length > 0 || !domain
    ? listed
    : deploymentsOf([{ chainId: Number(domain.chainId), address: domain.verifyingContract }])
}

const ownerOf = ({ metadata }: Read): string | null =>
  typeof metadata?.owner === 'string' && metadata.owner.trim() !== '' ? cutText(metadata.owner.trim()) : null

const contentOf = (raw: Record<string, unknown>, read: Read, place: string): DescriptorContent => {
  const { contract, eip712 } = read.context
  const shared = { owner: ownerOf(read), enums: readEnums(read.metadata) }
  if (contract)
    return {
      ...shared,
      kind: 'calls',
      deployments: deploymentsOf(contract.deployments),
      formats: callFormats(raw, read),
    }
  if (!eip712) return fail(`${place}.context`, read.context, 'notDescriptor')
  return {
    ...shared,
    kind: 'typedData',
    deployments: signedDeployments(eip712),
    domain: eip712.domain ?? {},
    separator: eip712.domainSeparator ?? null,
    formats: typeFormats(raw, read),
  }
}

/** Returns the path of the first invalid part, such as `descriptor.display.formats`. */
const placeOf = (place: string, [issue]: readonly v.BaseIssue<unknown>[]): string =>
  [place, ...(issue?.path ?? []).map(({ key }) => String(key))].join('.')

const parseDescriptor = (raw: unknown, place: string): DescriptorContent => {
  assertShallow(raw, place)
  if (sizeOf(JSON.stringify(raw)) > MAX_DESCRIPTOR_SIZE)
    return fail(place, raw, 'descriptorTooLong', { limit: MAX_DESCRIPTOR_SIZE })
  if (!isObject(raw)) return fail(place, raw, 'notDescriptor')
  if (raw.includes !== undefined && raw.includes !== null)
    return fail(`${place}.includes`, raw.includes, 'descriptorIncludes')
  const read = v.safeParse(Shape, raw)
  if (!read.success) return fail(placeOf(place, read.issues), read.issues[0].input, 'notDescriptor')
  const content = contentOf(raw, read.output, place)
  if (content.deployments.length === 0) return fail(`${place}.context`, raw.context, 'noDeployments')
  if (content.formats.length === 0) return fail(`${place}.display.formats`, read.output.display.formats, 'noFormats')
  // Each use of a definition expands it, so the parsed descriptor can be larger than its JSON and is measured as well.
  if (sizeOf(JSON.stringify(content)) > MAX_DESCRIPTOR_SIZE)
    return fail(place, raw, 'descriptorTooLong', { limit: MAX_DESCRIPTOR_SIZE })
  return content
}

/** Throws a ValueError that starts with the place, such as `descriptors[2].context`. */
export const parseDescriptors = (json: string): readonly DescriptorContent[] => {
  const value = parseJson(json)
  if (!Array.isArray(value)) return [parseDescriptor(value, 'descriptor')]
  if (value.length === 0) return fail('descriptors', value, 'notDescriptor')
  if (value.length > MAX_DESCRIPTORS) return fail('descriptors', value, 'tooManyInFile', { limit: MAX_DESCRIPTORS })
  return value.map((raw, at) => parseDescriptor(raw, `descriptors[${at}]`))
}
