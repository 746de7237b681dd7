/** The part of Node's EventEmitter that EIP-1193 requires of a provider. */

import { apply, createList, createRecord } from './captured.ts'

export type Listener = (...values: unknown[]) => void

export type Emit = (event: string, values: readonly unknown[]) => void

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
 * Adds the members to `target`. A page may assign its own functions to them, as libraries that wrap providers do. No
 * member calls another through the object, so only the page calls an assigned function. `emit` is not a member, so that
 * pages can listen but not emit. `callListener` calls a listener and never throws. `onListen` is called for each new
 * listener, because a page that only listens gets events, too.
 */
export const createEmitter = <T extends object>(
  target: T,
  callListener: (listener: Listener, values: readonly unknown[]) => void,
  onListen: () => void = () => {},
): { emitter: T & Emitter; emit: Emit } => {
  let entries = createRecord<readonly Entry[]>()
  const none = createList<Entry>()
  const of = (event: string): readonly Entry[] => entries[event] ?? none

  const add = (event: string, entry: Entry) => {
    const known = of(event)
    const all = createList<Entry>()
    for (let at = 0; at < known.length; at++) all[at] = known[at] as Entry
    all[all.length] = entry
    entries[event] = all
    onListen()
    return emitter
  }
  const drop = (event: string, dropped: Entry | undefined) => {
    const known = of(event)
    const left = createList<Entry>()
    for (let at = 0; at < known.length; at++) {
      const entry = known[at] as Entry
      if (entry !== dropped) left[left.length] = entry
    }
    entries[event] = left
    return emitter
  }
  const on = (event: string, listener: Listener) => add(event, { listener, call: listener })
  const remove = (event: string, listener: Listener) => {
    const known = of(event)
    let newest = known.length - 1
    while (newest >= 0 && known[newest]?.listener !== listener) newest--
    return drop(event, known[newest])
  }

  const emitter: T & Emitter = Object.assign(target, {
    on,
    addListener: on,
    once: (event: string, listener: Listener) => {
      const call: Listener = (...values) => {
        drop(event, entry)
        apply(listener, undefined, values)
      }
      const entry = { listener, call }
      return add(event, entry)
    },
    removeListener: remove,
    off: remove,
    removeAllListeners: (event?: string) => {
      if (event === undefined) entries = createRecord()
      else delete entries[event]
      return emitter
    },
    listenerCount: (event: string) => of(event).length,
  })

  /** Calls the listeners that were registered when the event started. One that throws does not stop the others. */
  const emit: Emit = (event, values) => {
    const all = of(event)
    for (let at = 0; at < all.length; at++) callListener((all[at] as Entry).call, values)
  }
  return { emitter, emit }
}
