/**
 * Finds built-in functions that a script could replace. Runs inside a context of the wallet: the browser's driver
 * receives it as text, so it uses nothing from outside.
 */
export const findReplaceable = (): { looked: number; replaceable: string[] } => {
  const seen = new Set<unknown>([globalThis])
  const replaceable: string[] = []
  let looked = 0
  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function'
  /** True for instances that hold a page's own state. Their properties can be set by scripts. */
  const isOwn = (value: object) =>
    typeof Node !== 'undefined' &&
    (value instanceof Node || value instanceof Window || value instanceof Location || value instanceof Storage)

  const visit = (owner: object, path: string) => {
    if (seen.has(owner)) return
    seen.add(owner)
    look(owner, path)
  }
  const look = (owner: object, path: string) => {
    if (Reflect.get(owner, Symbol.toStringTag) === 'WindowProperties') return
    for (const name of Reflect.ownKeys(owner)) {
      const found = Reflect.getOwnPropertyDescriptor(owner, name)
      if (!found) continue
      const here = `${path}.${String(name)}`
      const { value, get, set, writable, configurable } = found
      if (owner === globalThis && (name === 'chrome' || name === 'browser')) continue
      looked++
      if (configurable || (writable && typeof value === 'function')) replaceable.push(here)
      for (const next of [value, get, set]) if (isObject(next) && !isOwn(next)) visit(next, here)
    }
    if (owner !== globalThis && Object.isExtensible(owner)) replaceable.push(`${path} (extensible)`)
    const prototype = Object.getPrototypeOf(owner)
    if (prototype) visit(prototype, `${path}.__proto__`)
  }

  look(globalThis, 'globalThis')
  const reach = (path: string, make: () => unknown) => {
    try {
      const made = make()
      if (isObject(made)) visit(Object.getPrototypeOf(made), `prototype of ${path}`)
    } catch {}
  }
  reach('async function', () => async () => undefined)
  reach('generator', () => function* () {})
  reach('async generator', () => async function* () {})
  reach('array iterator', () => [].values())
  reach('map iterator', () => new Map().values())
  reach('set iterator', () => new Set().values())
  reach('string iterator', () => ''[Symbol.iterator]())
  reach('match iterator', () => ''.matchAll(/x/g))
  reach('iterator helper', () => ([].values() as unknown as { map(one: () => void): unknown }).map(() => undefined))
  reach('wrapped iterator', () =>
    (Reflect.get(globalThis, 'Iterator') as { from(one: unknown): unknown }).from({ next: () => ({ done: true }) }),
  )
  reach('segments', () => new Intl.Segmenter().segment(''))
  reach('segment iterator', () => new Intl.Segmenter().segment('')[Symbol.iterator]())
  reach('URL parameters', () => new URLSearchParams().entries())
  reach('headers', () => new Headers().entries())
  reach('form data', () => new FormData().entries())
  reach('stream', () => (new ReadableStream() as unknown as { values(): unknown }).values())
  for (const name of ['crypto', 'navigator', 'performance', 'console']) {
    const instance: unknown = Reflect.get(globalThis, name)
    if (isObject(instance)) visit(instance, name)
  }
  visit(crypto.subtle, 'crypto.subtle')
  const credentials: unknown = Reflect.get(navigator, 'credentials')
  if (isObject(credentials)) visit(credentials, 'navigator.credentials')
  return { looked, replaceable }
}
