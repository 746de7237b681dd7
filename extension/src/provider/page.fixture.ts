/** A page for tests: an event target with postMessage as its window, and a fake wallet behind it. */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import { FROM_PAGE, FROM_WALLET, type PageRequest, type ToPage } from '../messages.ts'
import { capturePage, type OwnPage, type PageWindow } from './captured.ts'

export type TestPage = {
  window: Window & { ethereum?: unknown }
  /** The window as captured by the page script. */
  own: OwnPage
  /** Messages that the page posted to the wallet, in order. */
  sent: PageRequest[]
  /** Posts to the page as the content script does. */
  reply(message: ToPage): void
  /** Answers every request with the result of `answer`. */
  answerAll(answer: (request: PageRequest) => unknown): void
  /** Answers every request with an error. */
  refuseAll(error: RpcErrorObject): void
  /** Restores the page from the back/forward cache. */
  comeBack(): void
  /** Posts a message from another window, or a message that is not from the wallet. */
  post(source: unknown, data: unknown): void
}

/** Page events whose attributes are getters, as in browsers. */
class PageMessageEvent extends Event {
  readonly #source: unknown
  readonly #data: unknown

  constructor(source: unknown, data: unknown) {
    super('message')
    this.#source = source
    this.#data = data
  }
  get source() {
    return this.#source
  }
  get data() {
    return this.#data
  }
}
class PageShowEvent extends Event {
  get persisted() {
    return true
  }
}

/** Returns a fake window with everything the page script uses. `post` dispatches a message from any source. */
export const openWindow = (postMessage: (posted: never) => void) => {
  const target = new EventTarget()
  const interfaces = { MessageEvent: PageMessageEvent, PageTransitionEvent: PageShowEvent, CustomEvent, Uint8Array }
  const { setTimeout } = globalThis
  const reporting = { reportError: (error: unknown) => reportError(error) }
  const parts = { ...interfaces, ...reporting, postMessage, crypto, setTimeout }
  const window = Object.assign(target, parts) as unknown as PageWindow & { ethereum?: unknown }
  return {
    window,
    post: (source: unknown, data: unknown) => void target.dispatchEvent(new PageMessageEvent(source, data)),
    comeBack: () => void target.dispatchEvent(new PageShowEvent('pageshow')),
  }
}

export const openPage = (): TestPage => {
  const sent: PageRequest[] = []
  let answer: ((request: PageRequest) => { result: unknown } | { error: RpcErrorObject }) | undefined

  const {
    window,
    post: postRaw,
    comeBack,
  } = openWindow((posted: { source: string; message: PageRequest }) => {
    const { source, message } = structuredClone(posted)
    if (source !== FROM_PAGE) return
    sent.push(message)
    if (answer) reply({ id: message.id, ...answer(message) })
  })
  const post = (source: unknown, data: unknown) => postRaw(source, structuredClone(data))
  const reply = (message: ToPage) => post(window, { source: FROM_WALLET, message })

  return {
    window,
    own: capturePage(window),
    sent,
    reply,
    answerAll: given => {
      answer = request => ({ result: given(request) })
    },
    refuseAll: error => {
      answer = () => ({ error })
    },
    comeBack,
    post,
  }
}
