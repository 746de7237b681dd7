/** Sends requests as a site, and decides them in the approval window by keyboard or mouse. */
import type { Page } from 'playwright-core'
import type { InputDevice } from './input-devices.ts'
import { type Person, untilClosed } from './person.ts'
import { call, type Reply } from './provider.ts'

export const approve = (device: InputDevice, window: Page, name: 'Approve' | 'Connect' = 'Approve'): Promise<void> =>
  untilClosed(window, () => device.press(window, 'button', name))

export const reject = async (device: InputDevice, window: Page): Promise<void> => {
  // A click waits for its button, but a key press does not, so the wait is here.
  await window.getByRole('button', { name: 'Reject', exact: true }).waitFor()
  await untilClosed(window, () => device.reject(window))
}

/** Sends a request as a site. `decide` gets the approval window. */
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
  if (!reply) throw new Error(`${method} was not requested`)
  return reply
}

/** Returns a result as text. Throws if the wallet returned an error. */
export const resultOf = (reply: Reply): string => {
  if ('error' in reply) throw new Error(JSON.stringify(reply))
  return String(reply.result)
}
