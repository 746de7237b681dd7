/** A page for tests: a window that is an event target with postMessage, and the wallet's end of the pipe behind it. */
import { FROM_PAGE, FROM_WALLET, type PageRequest, type ToPage } from '../messages.ts'

export type TestPage = {
  window: Window & { ethereum?: unknown }
  /** What the page has posted to the wallet, in order. */
  sent: PageRequest[]
  /** Posts to the page as the content script does. */
  reply(message: ToPage): void
  /** Answers every request, as it comes, with what `answer` makes of it. */
  answerAll(answer: (request: PageRequest) => unknown): void
  /** Shows the page again that was kept for going back to. */
  comeBack(): void
  /** Posts something from another window, or something that the wallet did not say. */
  post(source: unknown, data: unknown): void
}

export const openPage = (): TestPage => {
  const target = new EventTarget()
  const sent: PageRequest[] = []
  let answer: ((request: PageRequest) => unknown) | undefined

  const post = (source: unknown, data: unknown) => {
    target.dispatchEvent(Object.assign(new Event('message'), { source, data: structuredClone(data) }))
  }
  const reply = (message: ToPage) => post(window, { source: FROM_WALLET, message })
  const postMessage = (posted: { source: string; message: PageRequest }) => {
    const { source, message } = structuredClone(posted)
    if (source !== FROM_PAGE) return
    sent.push(message)
    if (answer) reply({ id: message.id, result: answer(message) })
  }
  const window = Object.assign(target, { postMessage }) as unknown as TestPage['window']

  return {
    window,
    sent,
    reply,
    answerAll: given => {
      answer = given
    },
    comeBack: () => void target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
    post,
  }
}
