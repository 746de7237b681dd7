/** What sites and peers ask for, decided in the approval window by either hand. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hand } from './hands.ts'
import type { Person } from './person.ts'
import { call, type Reply } from './provider.ts'

/** Acts until the window is gone: a press that a worker missed as it was stopped is made again. */
export const untilClosed = async (window: Page, act: () => Promise<void>): Promise<void> => {
  const attempt = async () => {
    await act().catch(error => {
      if (!window.isClosed()) throw error
    })
    return window.isClosed()
  }
  await expect.poll(attempt, { interval: 300, timeout: 15_000 }).toBe(true)
}

export const approve = (hand: Hand, window: Page, name: 'Approve' | 'Connect' = 'Approve'): Promise<void> =>
  untilClosed(window, () => hand.press(window, 'button', name))

export const reject = (hand: Hand, window: Page): Promise<void> => untilClosed(window, () => hand.reject(window))

/** Asks as a site does; `decide` gets the window that comes up. */
export const asked = async (
  person: Person,
  page: Page,
  method: string,
  params: unknown,
  decide: (window: Page) => Promise<void>,
): Promise<Reply> => {
  const replies: Promise<Reply>[] = []
  const window = await person.approval(async () => {
    const reply = call(page, method, params)
    reply.catch(() => undefined)
    replies.push(reply)
  })
  await decide(window)
  const [reply] = await Promise.all(replies)
  if (!reply) throw new Error(`${method} was not asked`)
  return reply
}

/** The text of a result. Throws where the wallet answered with an error. */
export const resultOf = (reply: Reply): string => {
  if ('error' in reply) throw new Error(JSON.stringify(reply))
  return String(reply.result)
}
