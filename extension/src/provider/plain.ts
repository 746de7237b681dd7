/** Copies params to plain JSON without references to the page's objects. */
import {
  createList,
  createRecord,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  keys,
  objectPrototype,
  parse,
  stringify,
} from './captured.ts'

const isPlain = (value: object): boolean => {
  if (hasOwn(value, 'toJSON')) return false
  const prototype = getPrototypeOf(value)
  return isArray(value) || prototype === null || prototype === objectPrototype
}

/** Returns the value after JSON serialization; undefined if JSON omits it. */
const byJson = (value: unknown): unknown => {
  const text: string | undefined = stringify(value)
  return text === undefined ? undefined : parse(text)
}

/**
 * Copies a value like `JSON.parse(JSON.stringify(value))`, without calling a `toJSON` that the page, or an old library
 * in it, added to Object.prototype or Array.prototype. Returns undefined for values that JSON omits. Throws where JSON
 * does: on bigints, cycles and throwing getters. The copy has no prototypes.
 */
export const toPlain = (value: unknown): unknown => {
  // JSON cannot carry -0. Adding 0 turns it into 0.
  if (typeof value === 'number') return isFiniteNumber(value) ? value + 0 : null
  if (typeof value === 'bigint') return byJson(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (!isPlain(value)) return byJson(value)
  if (isArray(value)) {
    const list = createList<unknown>()
    for (let at = 0; at < value.length; at++) list[at] = toPlain(value[at]) ?? null
    return list
  }
  const record = createRecord<unknown>()
  const names = keys(value)
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    const copy = toPlain((value as Record<string, unknown>)[name])
    if (copy !== undefined) record[name] = copy
  }
  return record
}
