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

/** Members stay what they are. The object stays open, for old pages set marks of their own on a provider. */
const withFixedMembers = <T extends object>(target: T): T => {
  for (const name of Object.keys(target)) Object.defineProperty(target, name, { writable: false, configurable: false })
  return target
}

/** `emit` is apart from the emitter, so that a page can listen but not speak for the wallet. */
export const createEmitter = <T extends object>(target: T): { emitter: T & Emitter; emit: Listener } => {
  const entries = new Map<string, Entry[]>()
  const of = (event: string) => entries.get(event) ?? []

  const add = (event: string, listener: Listener, call: Listener) => {
    entries.set(event, [...of(event), { listener, call }])
    return emitter
  }
  const remove = (event: string, listener: Listener) => {
    const last = of(event).findLastIndex(entry => entry.listener === listener)
    entries.set(
      event,
      of(event).filter((_, place) => place !== last),
    )
    return emitter
  }
  const on = (event: string, listener: Listener) => add(event, listener, listener)

  const emitter: T & Emitter = Object.assign(target, {
    on,
    addListener: on,
    once: (event: string, listener: Listener) =>
      add(event, listener, (...values) => {
        remove(event, listener)
        listener(...values)
      }),
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
