/** Calls window.ethereum in a page, with the user's decision if needed. */
import type { Frame, Page } from 'playwright-core'
import { decide, type Person } from './person.ts'

export type Reply = { result: unknown } | { error: { code: number; message: string } }

/** Calls `window.ethereum.request` in the page. */
export const call = (page: Page | Frame, method: string, params?: unknown): Promise<Reply> =>
  page.evaluate(
    async request => {
      const { ethereum } = window as unknown as { ethereum: { request(request: unknown): Promise<unknown> } }
      try {
        return { result: await ethereum.request(request) }
      } catch (error) {
        const { code, message } = error as { code: number; message: string }
        return { error: { code, message } }
      }
    },
    params === undefined ? { method } : { method, params },
  )

const resultOf = (method: string, reply: Reply): unknown => {
  if ('error' in reply) throw new Error(`${method}: ${reply.error.code} ${reply.error.message}`)
  return reply.result
}

/** Returns the result of a call that needs no approval. Throws if the wallet returns an error. */
export const read = async (page: Page | Frame, method: string, params?: unknown): Promise<unknown> =>
  resultOf(method, await call(page, method, params))

/** Sends a call that needs an approval. Returns its window and its pending reply. */
export const asking = async (
  person: Person,
  page: Page | Frame,
  method: string,
  params?: unknown,
): Promise<{ window: Page; reply: Promise<Reply> }> => {
  let reply: Promise<Reply> | undefined
  const window = await person.approval(async () => {
    reply = call(page, method, params)
  })
  if (!reply) throw new Error('no request was sent')
  return { window, reply }
}

/** Returns the result of a call that the user approves. Throws if the wallet returns an error. */
export const approved = async (
  person: Person,
  page: Page | Frame,
  method: string,
  params: unknown,
  button: 'Approve' | 'Connect' = 'Approve',
): Promise<unknown> => {
  const { window, reply } = await asking(person, page, method, params)
  await decide(window, button)
  return resultOf(method, await reply)
}
