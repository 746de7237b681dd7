/**
 * The built-in functions that the page script uses after the page's own code has run. They are taken when the script is
 * evaluated, before any code of the page, so that a page that replaces them later changes nothing here. Code that runs
 * later uses no iterators (spread, `for…of`, array patterns), since a page can replace those as well.
 */
const { apply, ownKeys } = Reflect
const { create, defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, keys, setPrototypeOf } = Object
const isOwn = Object.prototype.hasOwnProperty
const { isArray } = Array
const { parse, stringify } = JSON
const { isFinite: isFiniteNumber } = Number
const NativePromise = Promise
const NativeError = Error
const NativeBigInt = BigInt
const objectPrototype = Object.prototype

export {
  apply,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isFiniteNumber,
  keys,
  NativeError,
  objectPrototype,
  ownKeys,
  parse,
  stringify,
}

export const hasOwn = (target: object, name: PropertyKey): boolean => apply(isOwn, target, [name])

/** The decimal digits of a QUANTITY. */
export const toDecimal = (quantity: string): string => `${NativeBigInt(quantity)}`

/** An object without a prototype: what is missing in it is found nowhere else. */
export const createRecord = <T>(): Record<string, T> => create(null)

/** An array without a prototype, for use inside: setters of Array.prototype do not see what is put into it. */
export const createList = <T>(): T[] => setPrototypeOf([], null)

/** Sets an own property, past setters and descriptors that a page has put into Object.prototype. */
export const setOwn = <T extends object>(target: T, name: PropertyKey, value: unknown): T =>
  defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
    // @ts-expect-error The descriptor inherits nothing.
    __proto__: null,
  })

/** An array for the page, with the values of another. */
export const copyArray = <T>(values: readonly T[]): T[] => {
  const copy: T[] = []
  for (let at = 0; at < values.length; at++) setOwn(copy, at, values[at])
  return copy
}

/**
 * Makes `await` use the promise as it is: otherwise `await` reads `constructor` from Promise.prototype and, when that was
 * replaced, calls a replaced `then`. Every `await` of the page script is on such a promise.
 */
export const awaitable = <T>(promise: Promise<T>): Promise<T> =>
  defineProperty(promise, 'constructor', {
    value: NativePromise,
    configurable: true,
    // @ts-expect-error The descriptor inherits nothing.
    __proto__: null,
  })

export const createPromise = <T>(
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> => awaitable(new NativePromise(start))

/** Whether a promise was fulfilled, once it is settled. It is settled for the browser: no rejection is left unhandled. */
export const isFulfilled = async (promise: Promise<unknown>): Promise<boolean> => {
  try {
    await awaitable(promise)
    return true
  } catch {
    return false
  }
}
