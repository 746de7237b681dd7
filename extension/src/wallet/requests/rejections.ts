/**
 * Mutes sites that repeat rejected requests: after a few rejections within a minute, requests are rejected automatically
 * until the oldest rejection is a minute old. The user sees the mute and can end it. An approval also ends it.
 */
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

/** One action of the person, which rejects one request of a site or all pending ones. */
type Rejection = { origin: string; methods: readonly string[]; at: number }

/** `until` is Unix ms. `asked` is true if a request was rejected automatically meanwhile. */
export type Muted = { origin: string; until: number; asked: boolean }

export type Rejections = {
  /** Throws -32005 if the site is muted. */
  assertMayAsk(origin: string, method: string): Promise<void>
  /** Records that the person rejected requests of these methods in one action. */
  note(origin: string, methods: readonly string[]): Promise<void>
  /** Clears the rejections of a site. */
  forget(origin: string): Promise<void>
  muted(): Promise<readonly Muted[]>
}

/** Maximum rejections of one method, and of any method, within the window in ms. */
export const MAX_OF_METHOD = 3
export const MAX_OF_SITE = 10
export const WINDOW = 60_000

type Noted = { rejections: readonly Rejection[]; askers: readonly string[] }

const NOTHING: Noted = { rejections: [], askers: [] }

/** Time at which fewer than `most` rejections, sorted by age, are within the window. Null if that is so now. */
const endOf = (rejections: readonly Rejection[], most: number): number | null => {
  const counted = rejections.at(-most)
  return rejections.length < most || !counted ? null : counted.at + WINDOW
}

/** Calls `onMuted` at the first request of a muted site. */
export const createRejections = (session: Store, now: () => number, onMuted: () => void): Rejections => {
  const cell = createCell<Noted>(session, 'rejections', NOTHING)

  const recentOf = ({ rejections }: Noted) => rejections.filter(({ at }) => now() - at < WINDOW)
  const ofSite = (rejections: readonly Rejection[], origin: string) =>
    rejections.filter(rejection => rejection.origin === origin)
  const ofMethod = (rejections: readonly Rejection[], method: string) =>
    rejections.filter(({ methods }) => methods.includes(method))

  /** Time at which the site may use the method again, or 0. */
  const endFor = (rejections: readonly Rejection[], method: string): number =>
    Math.max(endOf(rejections, MAX_OF_SITE) ?? 0, endOf(ofMethod(rejections, method), MAX_OF_METHOD) ?? 0)

  return {
    assertMayAsk: async (origin, method) => {
      const noted = await cell.read()
      const until = endFor(ofSite(recentOf(noted), origin), method)
      if (until === 0) return
      if (!noted.askers.includes(origin)) {
        await cell.update(kept => ({ ...kept, askers: [...kept.askers.filter(asker => asker !== origin), origin] }))
        onMuted()
      }
      const seconds = Math.ceil((until - now()) / 1_000)
      throw rpcError('limitExceeded', 'rejectedOften', { seconds })
    },
    note: async (origin, methods) => {
      await cell.update(noted => {
        const rejections = [...recentOf(noted), { origin, methods: [...new Set(methods)], at: now() }]
        return { rejections, askers: noted.askers.filter(asker => ofSite(rejections, asker).length > 0) }
      })
    },
    forget: async origin => {
      await cell.update(noted => ({
        rejections: recentOf(noted).filter(rejection => rejection.origin !== origin),
        askers: noted.askers.filter(asker => asker !== origin),
      }))
    },
    muted: async () => {
      const noted = await cell.read()
      const recent = recentOf(noted)
      return [...new Set(recent.map(({ origin }) => origin))].flatMap(origin => {
        const own = ofSite(recent, origin)
        const until = Math.max(...own.flatMap(({ methods }) => methods).map(method => endFor(own, method)))
        return until === 0 ? [] : [{ origin, until, asked: noted.askers.includes(origin) }]
      })
    },
  }
}
