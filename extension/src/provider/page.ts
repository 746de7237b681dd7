/** Window functions that the page script uses, captured before the page's own code runs (see also `captured.ts`). */
import { apply, getOwnPropertyDescriptor } from './captured.ts'

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
