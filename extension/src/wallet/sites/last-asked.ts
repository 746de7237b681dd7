/**
 * The last request of each connected site: its kind, when it arrived, and how it ended. No content of a request is kept. Sealed like the
 * activity.
 */
import type { AskedView } from '../../messages.ts'
import { createCell, type Store } from '../storage/store.ts'

type Asked = AskedView & { origin: string }

export type LastAsked = {
  list(): Promise<readonly Asked[]>
  /** Replaces what the site asked for before. */
  note(asked: Asked): Promise<void>
  forget(origin: string): Promise<void>
}

/** Maximum sites of which it is known, those that asked last. */
export const MAX_ASKED = 200

export const createLastAsked = (store: Store): LastAsked => {
  const cell = createCell<readonly Asked[]>(store, 'last-asked', [])
  const without = (known: readonly Asked[], origin: string) => known.filter(asked => asked.origin !== origin)
  return {
    list: cell.read,
    note: async asked => {
      await cell.update(known => [...without(known, asked.origin), asked].slice(-MAX_ASKED))
    },
    forget: async origin => {
      if ((await cell.read()).some(asked => asked.origin === origin)) await cell.update(known => without(known, origin))
    },
  }
}
