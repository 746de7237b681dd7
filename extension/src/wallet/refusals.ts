/**
 * Sites that ask again for what was just rejected: after a few rejections within a minute the person is not asked, until
 * the oldest of them is a minute ago. An approval is a fresh start.
 */
import { rpcError } from '@heliograph/shared/errors'
import { createCell, type Store } from './store.ts'

type Rejection = { origin: string; method: string; at: number }

export type Refusals = {
  /** Throws -32005 where the person has rejected enough of this. */
  assertMayAsk(origin: string, method: string): Promise<void>
  /** The person's word about a request of the site. */
  note(origin: string, method: string, approved: boolean): Promise<void>
}

/** Rejections of one method, and of any, within the window, in ms. */
export const MAX_OF_METHOD = 3
export const MAX_OF_SITE = 10
export const WINDOW = 60_000

export const createRefusals = (session: Store, now: () => number): Refusals => {
  const cell = createCell<readonly Rejection[]>(session, 'rejections', [])
  const isRecent = ({ at }: Rejection) => now() - at < WINDOW

  return {
    assertMayAsk: async (origin, method) => {
      const recent = (await cell.read()).filter(rejection => rejection.origin === origin && isRecent(rejection))
      const same = recent.filter(rejection => rejection.method === method)
      if (same.length >= MAX_OF_METHOD || recent.length >= MAX_OF_SITE)
        throw rpcError('limitExceeded', 'This was rejected several times just now. Ask again in a minute.')
    },
    note: async (origin, method, approved) => {
      await cell.update(rejections => {
        const recent = rejections.filter(isRecent)
        if (approved) return recent.filter(rejection => rejection.origin !== origin)
        return [...recent, { origin, method, at: now() }]
      })
    },
  }
}
