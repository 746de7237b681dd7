/**
 * Sites that ask again for what was just rejected are muted: after a few rejections within a minute the person is not
 * asked, until the oldest of them is a minute ago. The person sees that, and can end it. An approval ends it as well.
 */
import { rpcError } from '@heliograph/shared/errors'
import { createCell, type Store } from './store.ts'

/** One act of the person: it rejects one request of a site, or all that wait. */
type Rejection = { origin: string; methods: readonly string[]; at: number }

/** `until` is in ms since 1970; `asked` says whether something of the site was refused meanwhile. */
export type Muted = { origin: string; until: number; asked: boolean }

export type Rejections = {
  /** Throws -32005 where the person has rejected enough of this. */
  assertMayAsk(origin: string, method: string): Promise<void>
  /** Records that the person rejected requests of these methods, in one act. */
  note(origin: string, methods: readonly string[]): Promise<void>
  /** Forgets what was rejected of a site. */
  forget(origin: string): Promise<void>
  muted(): Promise<readonly Muted[]>
}

/** Rejections of one method, and of any, within the window, in ms. */
export const MAX_OF_METHOD = 3
export const MAX_OF_SITE = 10
export const WINDOW = 60_000

type Noted = { rejections: readonly Rejection[]; askers: readonly string[] }

const NOTHING: Noted = { rejections: [], askers: [] }

/** When the rejections, oldest first, are fewer than so many within the window; null where they are now. */
const endOf = (rejections: readonly Rejection[], most: number): number | null => {
  const counted = rejections.at(-most)
  return rejections.length < most || !counted ? null : counted.at + WINDOW
}

/** `onMuted` is called when a muted site asks for the first time. */
export const createRejections = (session: Store, now: () => number, onMuted: () => void): Rejections => {
  const cell = createCell<Noted>(session, 'rejections', NOTHING)

  const recentOf = ({ rejections }: Noted) => rejections.filter(({ at }) => now() - at < WINDOW)
  const ofSite = (rejections: readonly Rejection[], origin: string) =>
    rejections.filter(rejection => rejection.origin === origin)
  const ofMethod = (rejections: readonly Rejection[], method: string) =>
    rejections.filter(({ methods }) => methods.includes(method))

  /** When the site may ask for the method again; 0 where it may now. */
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
      throw rpcError('limitExceeded', `Requests of this site were rejected several times. Ask again in ${seconds} s.`)
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
