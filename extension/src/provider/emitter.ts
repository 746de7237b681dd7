/** The part of Node's EventEmitter that EIP-1193 asks of a provider. */

export type Listener = (...values: unknown[]) => void

export type Emitter = {
  on(event: string, listener: Listener): Emitter
  once(event: string, listener: Listener): Emitter
  addListener(event: string, listener: Listener): Emitter
  removeListener(event: string, listener: Listener): Emitter
  off(event: string, listener: Listener): Emitter
  removeAllListeners(event?: string): Emitter
  listenerCount(event: string): number
}

type Entry = { listener: Listener; call: Listener }

/**
 * Members stay what they are when a page assigns to them. They are not made unconfigurable, for a Proxy around such an
 * object may not give back anything else, and libraries wrap `request`. The object stays open: old pages mark providers.
 */
const withFixedMembers = <T extends object>(target: T): T => {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    // What is only read, by a getter, cannot be assigned to as it is.
    if (!get) Object.defineProperty(target, name, { writable: false })
  }
  return target
}

/**
 * `emit` is apart from the emitter, so that a page can listen but not speak for the wallet. `onListen` is called for each
 * new listener.
 */
export const createEmitter = <T extends object>(
  target: T,
  onListen: () => void = () => {},
): { emitter: T & Emitter; emit: Listener } => {
  const entries = new Map<string, Entry[]>()
  const of = (event: string) => entries.get(event) ?? []

  const add = (event: string, entry: Entry) => {
    entries.set(event, [...of(event), entry])
    onListen()
    return emitter
  }
  const drop = (event: string, dropped: Entry | undefined) => {
    const left = of(event).filter(entry => entry !== dropped)
    if (left.length > 0) entries.set(event, left)
    else entries.delete(event)
    return emitter
  }
  const on = (event: string, listener: Listener) => add(event, { listener, call: listener })
  const remove = (event: string, listener: Listener) =>
    drop(
      event,
      of(event).findLast(entry => entry.listener === listener),
    )

  const emitter: T & Emitter = Object.assign(target, {
    on,
    addListener: on,
    once: (event: string, listener: Listener) => {
      const call: Listener = (...values) => {
        drop(event, entry)
        listener(...values)
      }
      const entry = { listener, call }
      return add(event, entry)
    },
    removeListener: remove,
    off: remove,
    removeAllListeners: (event?: string) => {
      if (event === undefined) entries.clear()
      else entries.delete(event)
      return emitter
    },
    listenerCount: (event: string) => of(event).length,
  })

  /** A listener that throws is the page's own error: it is reported there and stops no other. */
  const emit: Listener = (event, ...values) => {
    for (const { call } of of(String(event))) {
      try {
        call(...values)
      } catch (error) {
        reportError(error)
      }
    }
  }
  return { emitter: withFixedMembers(emitter), emit }
}
