/** Makes requests as a site, and decides them in the approval window by keyboard or mouse. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { InputDevice } from './input-devices.ts'
import type { Person } from './person.ts'
import { call, type Reply } from './provider.ts'

/** Repeats the action until the window is closed, since a worker that is being stopped can miss a press. */
export const untilClosed = async (window: Page, act: () => Promise<void>): Promise<void> => {
  const attempt = async () => {
    await act().catch(error => {
      if (!window.isClosed()) throw error
    })
    return window.isClosed()
  }
  await expect.poll(attempt, { interval: 300, timeout: 15_000 }).toBe(true)
}

export const approve = (device: InputDevice, window: Page, name: 'Approve' | 'Connect' = 'Approve'): Promise<void> =>
  untilClosed(window, () => device.press(window, 'button', name))

export const reject = (device: InputDevice, window: Page): Promise<void> =>
  untilClosed(window, () => device.reject(window))

/** Makes a request as a site; `decide` gets the approval window. */
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

/** The text of a result. Throws if the wallet returned an error. */
export const resultOf = (reply: Reply): string => {
  if ('error' in reply) throw new Error(JSON.stringify(reply))
  return String(reply.result)
}
