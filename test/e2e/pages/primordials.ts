/**
 * A page that replaces every replaceable built-in function with a hostile version while it sends requests. The page
 * keeps the original functions for itself, so only the provider's script is affected.
 */
type Provider = { request(args: { method: string }): Promise<unknown> }
type Kind = 'throws' | 'garbage' | 'logs'
type Place = { owner: object; name: PropertyKey; path: string; original: PropertyDescriptor }
export type Tally = { primordials: number; requests: number; failures: string[] }

const { apply, construct, ownKeys } = Reflect
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object
const { stringify } = JSON
const { then } = Promise.prototype
const { setTimeout, clearTimeout, Promise: NativePromise } = globalThis

/** Timeout of a request in ms, long enough that only a request that never gets a response reaches it. */
const PATIENCE = 60_000
/** Built-in objects that cannot be reached from a global name. */
const hidden: readonly [string, object][] = [
  ['%AsyncFunctionPrototype%', getPrototypeOf(async () => undefined)],
  ['%GeneratorPrototype%', getPrototypeOf(function* () {}.prototype)],
  ['%ArrayIteratorPrototype%', getPrototypeOf([][Symbol.iterator]())],
  ['%MapIteratorPrototype%', getPrototypeOf(new Map()[Symbol.iterator]())],
  ['%SetIteratorPrototype%', getPrototypeOf(new Set()[Symbol.iterator]())],
  ['%StringIteratorPrototype%', getPrototypeOf(''[Symbol.iterator]())],
  ['%IteratorPrototype%', getPrototypeOf(getPrototypeOf([][Symbol.iterator]()))],
  ['%TypedArray%', getPrototypeOf(Uint8Array)],
]

/** Returns all replaceable functions and getters that can be reached from a global name. */
const findPlaces = (): Place[] => {
  const places: Place[] = []
  const seen = new Set<object>()
  const visit = (owner: object, path: string) => {
    if (seen.has(owner)) return
    seen.add(owner)
    for (const name of ownKeys(owner)) {
      const original = getOwnPropertyDescriptor(owner, name)
      if (!original || name === 'ethereum') continue
      const here = `${path}.${String(name)}`
      const { value, get, writable, configurable } = original
      if ((typeof value === 'function' || get) && (writable || configurable))
        places.push({ owner, name, path: here, original })
      // Instances such as `document` are left out, because visiting their interfaces covers them.
      const isNamespace = typeof value === 'object' && value !== null && getPrototypeOf(value) === Object.prototype
      if (typeof value === 'function' || isNamespace || name === 'prototype' || name === '__proto__')
        if (value) visit(value, here)
    }
  }
  for (let owner: object | null = window; owner; owner = getPrototypeOf(owner)) visit(owner, 'window')
  for (const [path, owner] of hidden) visit(owner, path)
  return places
}

const log: unknown[] = []

const hostileOf = (original: unknown, kind: Kind) =>
  function hostile(this: unknown, ...given: unknown[]): unknown {
    if (kind === 'throws') throw 'hostile'
    if (kind === 'garbage') return { hostile: true }
    log[log.length] = given
    if (typeof original !== 'function') return undefined
    return new.target ? construct(original, given, new.target) : apply(original, this, given)
  }

const replace = ({ owner, name, original }: Place, kind: Kind) => {
  const { value, get, configurable = false, enumerable = false } = original
  const hostile = hostileOf(value ?? get, kind)
  if (kind === 'logs' && typeof value === 'function') hostile.prototype = value.prototype
  if (!configurable) defineProperty(owner, name, { value: hostile })
  else if (get) defineProperty(owner, name, { ...original, get: hostile })
  else defineProperty(owner, name, { value: hostile, writable: true, configurable, enumerable })
}

const restore = ({ owner, name, original }: Place) => {
  defineProperty(owner, name, original)
}

/** Calls `done` with the response as JSON. Uses only original functions. */
const ask = (provider: Provider, done: (answer: string) => void) => {
  const timer = apply(setTimeout, window, [() => done('no answer'), PATIENCE])
  const end = (answer: string) => {
    apply(clearTimeout, window, [timer])
    done(answer)
  }
  try {
    const asked = provider.request({ method: 'eth_accounts' })
    // Without its own `constructor`, the promise would let a replaced `constructor` affect the page's own `await`.
    defineProperty(asked, 'constructor', { value: undefined })
    apply(then, asked, [(result: unknown) => end(stringify(result)), (error: unknown) => end(`rejected: ${error}`)])
  } catch (error) {
    end(`threw: ${error}`)
  }
}

/** Replaces the functions, sends a request and restores them. Resolves with the response as JSON. */
const askUnder = (provider: Provider, replaced: readonly Place[], kind: Kind): Promise<string> => {
  const answered = new NativePromise<string>(resolve => {
    for (let at = 0; at < replaced.length; at++) replace(replaced[at] as Place, kind)
    ask(provider, answer => {
      for (let at = 0; at < replaced.length; at++) restore(replaced[at] as Place)
      resolve(answer)
    })
  })
  return defineProperty(answered, 'constructor', { value: NativePromise })
}

/** Gives the driver time to attach: it needs the built-in functions that are about to be replaced. */
const letDriverWait = () => new NativePromise(resolve => setTimeout(resolve))

const everyKind: readonly Kind[] = ['throws', 'garbage', 'logs']

/** Replaces `atOnce` functions at a time, which are neighbours. `expected` is the correct response as JSON. */
const replaceAtOnce = async (atOnce: number, expected: string): Promise<Tally> => {
  const provider: Provider = Reflect.get(window, 'ethereum')
  const places = findPlaces()
  await letDriverWait()
  const failures: string[] = []
  let requests = 0
  for (let at = 0; at < places.length; at += atOnce) {
    const replaced = places.slice(at, at + atOnce)
    for (const kind of everyKind) {
      requests++
      const answer = await askUnder(provider, replaced, kind)
      if (answer !== expected) failures.push(`${replaced[0]?.path} to ${replaced.at(-1)?.path} ${kind}: ${answer}`)
    }
  }
  return { primordials: places.length, requests, failures }
}

Object.assign(window, { replaceAtOnce })
