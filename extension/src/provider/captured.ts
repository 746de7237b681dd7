/**
 * Built-in and window functions that the page script uses after the page's own code has run. They are captured before
 * any code of the page, so that a page that replaces them later changes nothing here. Code that runs later uses no
 * iterators (spread, `for…of`, array patterns), since a page can replace those as well.
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

/** Converts a QUANTITY to decimal digits. */
export const toDecimal = (quantity: string): string => `${NativeBigInt(quantity)}`

/** Creates an object without a prototype, so that missing properties are not found elsewhere. */
export const createRecord = <T>(): Record<string, T> => create(null)

/** Creates an array without a prototype for internal use, so that no setter of Array.prototype sees its elements. */
export const createList = <T>(): T[] => setPrototypeOf([], null)

/** Sets an own property, bypassing setters and descriptor properties that a page added to Object.prototype. */
export const setOwn = <T extends object>(target: T, name: PropertyKey, value: unknown): T =>
  defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
    // @ts-expect-error The descriptor inherits nothing.
    __proto__: null,
  })

/** Copies values to a normal array for the page. */
export const copyArray = <T>(values: readonly T[]): T[] => {
  const copy: T[] = []
  for (let at = 0; at < values.length; at++) setOwn(copy, at, values[at])
  return copy
}

/**
 * Makes `await` use the promise directly. Otherwise `await` reads `constructor` from Promise.prototype and, if that was
 * replaced, calls a replaced `then`. Every `await` in the page script uses this.
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

/** Resolves with whether the promise was fulfilled. Also marks a rejection as handled. */
export const isFulfilled = async (promise: Promise<unknown>): Promise<boolean> => {
  try {
    await awaitable(promise)
    return true
  } catch {
    return false
  }
}

export type PageWindow = Window & typeof globalThis

export type OwnPage = {
  readonly self: PageWindow
  /** Posts a message to this window only. */
  post(message: unknown): void
  /** Listens to messages that this window posts to itself. */
  onMessage(listener: (data: unknown) => void): void
  /** Registers a listener for when the page is restored from the back/forward cache. */
  onShownAgain(listener: () => void): void
  on(type: string, listener: (event: Event) => void): void
  dispatch(type: string, detail?: unknown): void
  /** Random bytes as hex. */
  randomHex(bytes: number): string
  /** Calls `act` once, after `wait` ms. */
  later(act: () => void, wait: number): void
  /** Calls a listener of the page. Reports an exception as the page's own error. */
  call(listener: (...values: never[]) => unknown, values: readonly unknown[]): void
}

const getterOf = (owner: { prototype: object }, name: string): ((event: Event) => unknown) => {
  const get = getOwnPropertyDescriptor(owner.prototype, name)?.get
  if (!get) throw new TypeError(`${name} is not an attribute`)
  return event => apply(get, event, [])
}

const DIGITS = '0123456789abcdef'

const hexOf = (byte: number): string => `${DIGITS[byte >> 4]}${DIGITS[byte & 15]}`

/** Captures the functions of the window. `self` is the `source` of the window's own messages. */
export const capturePage = (self: PageWindow): OwnPage => {
  const { addEventListener, dispatchEvent, postMessage, CustomEvent, crypto } = self
  const { setTimeout, reportError } = self
  const { Uint8Array: Bytes } = self
  const { getRandomValues } = crypto
  const sourceOf = getterOf(self.MessageEvent, 'source')
  const dataOf = getterOf(self.MessageEvent, 'data')
  const isPersisted = getterOf(self.PageTransitionEvent, 'persisted')
  const on: OwnPage['on'] = (type, listener) => apply(addEventListener, self, [type, listener])

  return {
    self,
    post: message => apply(postMessage, self, [message, '*']),
    onMessage: listener =>
      on('message', event => {
        if (sourceOf(event) === self) listener(dataOf(event))
      }),
    onShownAgain: listener =>
      on('pageshow', event => {
        if (isPersisted(event)) listener()
      }),
    on,
    dispatch: (type, detail) => {
      const init = { __proto__: null, detail } as CustomEventInit
      apply(dispatchEvent, self, [new CustomEvent(type, init)])
    },
    randomHex: bytes => {
      const random: Uint8Array = apply(getRandomValues, crypto, [new Bytes(bytes)])
      let text = ''
      for (let at = 0; at < bytes; at++) text += hexOf(random[at] as number)
      return text
    },
    later: (act, wait) => void apply(setTimeout, self, [act, wait]),
    call: (listener, values) => {
      try {
        apply(listener, undefined, values)
      } catch (error) {
        apply(reportError, self, [error])
      }
    },
  }
}
