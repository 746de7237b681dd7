/**
 * Each connected site's last request: its kind, when it arrived, and its outcome. A request's content is not kept.
 * Encrypted, like the activity.
 */
import type { AskedView } from '../../messages.ts'
import { createCell, type Store } from '../storage/store.ts'

type Asked = AskedView & { origin: string }

export type LastAsked = {
  list(): Promise<readonly Asked[]>
  /** Replaces the site's earlier entry. */
  note(asked: Asked): Promise<void>
  forget(origin: string): Promise<void>
}

/** Maximum number of sites with an entry. The most recent are kept. */
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
