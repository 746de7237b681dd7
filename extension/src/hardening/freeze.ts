/**
 * Freezes the built-in objects of this context, so that no package that runs later can replace a function and read the data that
 * passes through it. Code that handles secrets can then use them directly.
 */

/** The names of the browser's API, which `browser/api.ts` replaces after the freeze. */
const API_NAMES: readonly PropertyKey[] = ['browser', 'chrome']

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Number of own properties of a built-in method: `length` and `name`. A function with more properties is searched. */
const METHOD_PROPERTIES = 2

/** Instances of built-in classes whose prototypes have no global name. */
const samples = (): object[] => {
  const iterator = [][Symbol.iterator]()
  const found: object[] = [
    async () => undefined,
    function* () {},
    async function* () {},
    iterator,
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    ''.matchAll(/x/g),
    new Intl.Segmenter().segment(''),
    new Intl.Segmenter().segment('')[Symbol.iterator](),
    new URLSearchParams().entries(),
    new Headers().entries(),
    new FormData().entries(),
  ]
  // The oldest supported browsers lack the following functions, so their existence is checked first.
  if ('values' in ReadableStream.prototype) found.push(new ReadableStream().values())
  const { Iterator: helpers } = globalThis as {
    Iterator?: { from(iterator: object): { map(change: () => void): object } }
  }
  if (helpers) {
    const wrapped = helpers.from({ next: () => ({ done: true }) })
    found.push(
      wrapped,
      wrapped.map(() => undefined),
    )
  }
  return found
}

/** Platform objects. An own property on one of them would shadow an inherited function. */
const instances = (): unknown[] => {
  const { crypto, navigator, performance, console } = globalThis
  const parts = ['clipboard', 'credentials', 'locks', 'userActivation', 'storage', 'serviceWorker'].map(name =>
    Reflect.get(navigator, name),
  )
  const others = ['clients', 'registration', 'scheduler', 'history'].map(name => Reflect.get(globalThis, name))
  return [crypto, crypto.subtle, navigator, performance, console, ...parts, ...others]
}

/** True for the object behind `Window.prototype` that finds frames by name. It can't be frozen or written to. */
const isNamedFrames = (object: object) => Reflect.get(object, Symbol.toStringTag) === 'WindowProperties'

const globalNames = () => Reflect.ownKeys(globalThis).filter(name => !API_NAMES.includes(name))

/** Returns every built-in object that can be reached from a global name, except the global object. */
const builtIns = (): Set<object> => {
  const found = new Set<object>([
    ...samples().map(sample => Object.getPrototypeOf(sample)),
    ...instances().filter(isObject),
  ])
  const add = (value: unknown) => {
    // Most values are functions. Looking up the tag of each would take a sixth of the time.
    if (typeof value === 'function' || (isObject(value) && value !== globalThis && !isNamedFrames(value)))
      found.add(value)
  }
  const addMembers = (owner: object, names: readonly PropertyKey[]) => {
    for (const name of names) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(owner, name) ?? {}
      add(value)
      add(get)
      add(set)
    }
    add(Object.getPrototypeOf(owner))
  }
  addMembers(globalThis, globalNames())
  for (const object of found) {
    const names = Reflect.ownKeys(object)
    addMembers(object, typeof object === 'function' && names.length === METHOD_PROPERTIES ? [] : names)
  }
  return found
}

/**
 * Prototypes whose properties code assigns on objects that inherit them: `error.name = …`, `object.toString = …`.
 * Such an assignment throws when the inherited property is read-only.
 */
const ASSIGNED_OVER = [Object, Function, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]

/** Turns the data properties of a prototype into accessors. Their setters define the property on the assigned object. */
const allowOverride = (owner: object) => {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const { value, writable, configurable } = Reflect.getOwnPropertyDescriptor(owner, name) ?? {}
    if (!writable || !configurable) continue
    const accessor = {
      get: () => value,
      set(this: object, other: unknown) {
        if (this === owner) throw new TypeError(`Cannot assign to read only property '${name}'`)
        Object.defineProperty(this, name, { value: other, writable: true, enumerable: true, configurable: true })
      },
    }
    Object.defineProperty(owner, name, { ...accessor, enumerable: false })
    for (const half of [accessor.get, accessor.set]) Object.freeze(half)
  }
}

/** Removes `RegExp.input` and similar properties, which hold the last string matched by any code. */
const forgetMatches = () => {
  for (const name of Object.getOwnPropertyNames(RegExp))
    if (Reflect.getOwnPropertyDescriptor(RegExp, name)?.get) Reflect.deleteProperty(RegExp, name)
}

/** Makes the global names permanent, and copies names inherited from `EventTarget` to the global object itself. */
const fixGlobalNames = () => {
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    Object.defineProperty(globalThis, name, { value: globalThis[name], configurable: true })
  for (const name of globalNames()) {
    const { configurable, value } = Reflect.getOwnPropertyDescriptor(globalThis, name) ?? {}
    if (configurable)
      Reflect.defineProperty(globalThis, name, { configurable: false, ...(isObject(value) && { writable: false }) })
  }
}

/** Freezes all built-in objects, and makes the global names permanent, except the names of the browser's API. */
export const freezeBuiltIns = (): void => {
  forgetMatches()
  const found = builtIns()
  for (const { prototype } of ASSIGNED_OVER) allowOverride(prototype)
  for (const object of found) Object.freeze(object)
  fixGlobalNames()
}
