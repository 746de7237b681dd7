/** Schema of a descriptor in the form in which the wallet keeps it. A backup has it in this form, which JSON cannot type. */
import * as v from 'valibot'
import { type DescriptorContent, MAX_FIELDS, MAX_TEXT } from '../descriptors/descriptor.ts'
import { functionOf } from '../descriptors/descriptor-json.ts'
import { MAX_DECIMALS, wholeNumber } from '../text/values.ts'
import { address, chainId, listOf } from './values.ts'

/** Limits: characters of a function or type, steps of a path, and members of a list or an object. */
const MAX_KEY = 4_000
const MAX_STEPS = 64
const MAX_MEMBERS = 1_000

/** A cut text ends in an ellipsis. */
const text = v.pipe(v.string(), v.maxLength(2 * MAX_TEXT + 1))
const key = v.pipe(v.string(), v.maxLength(MAX_KEY))
const orNull = <T>(schema: v.GenericSchema<unknown, T>) => v.nullish(schema, null)
const index = v.pipe(v.number(), v.safeInteger())

const Path = v.object({
  root: v.picklist(['#', '@']),
  steps: v.pipe(
    v.array(v.union([key, index, v.object({ from: orNull(index), to: orNull(index) })])),
    v.maxLength(MAX_STEPS),
  ),
})
const Source = v.union([v.object({ path: Path }), v.object({ text })])

const Format = v.variant('as', [
  v.object({ as: v.picklist(['raw', 'address', 'amount', 'date', 'duration']) }),
  v.object({
    as: v.literal('tokenAmount'),
    token: orNull(Source),
    natives: listOf(text, MAX_STEPS),
    threshold: orNull(text),
    message: orNull(text),
  }),
  v.object({ as: v.literal('item'), collection: orNull(Source) }),
  v.object({ as: v.literal('unit'), base: text, decimals: wholeNumber(MAX_DECIMALS) }),
  v.object({ as: v.literal('enum'), labels: key }),
])

const shown = {
  intent: orNull(text),
  fields: v.pipe(v.array(v.object({ label: text, value: Source, format: Format })), v.maxLength(MAX_FIELDS + 1)),
}

/** A function is parsed again, so that its selector is the one of its text. */
const CallFormat = v.pipe(
  v.object({ ...shown, text: key }),
  v.transform(({ text: given, ...format }) => {
    const found = functionOf(given, new Map())
    return found ? { ...found, ...format } : undefined
  }),
  v.check(found => found !== undefined),
  v.transform(found => found as NonNullable<typeof found>),
)

const texts = v.record(key, text)
const shared = {
  owner: orNull(text),
  deployments: v.pipe(v.array(v.object({ chainId, address })), v.minLength(1), v.maxLength(MAX_MEMBERS)),
  enums: v.record(key, texts),
}
const formats = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(v.array(schema), v.minLength(1), v.maxLength(MAX_MEMBERS))

export const descriptorContent: v.GenericSchema<unknown, DescriptorContent> = v.variant('kind', [
  v.object({ ...shared, kind: v.literal('calls'), formats: formats(CallFormat) }),
  v.object({
    ...shared,
    kind: v.literal('typedData'),
    domain: texts,
    separator: orNull(text),
    formats: formats(v.object({ ...shown, type: key })),
  }),
])
