/**
 * Stores the state of remote sessions as one encrypted value. A published message stays in the stored state until the
 * next change, so that the whole state is not encrypted again for each message. The ids of such messages are kept in
 * the session store, so a restarted worker does not publish them again.
 */
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import { createCell, type Store } from '../storage/store.ts'
import { relayOf } from './relays.ts'
import { initialState, type SessionState } from './state.ts'

export type SessionStore = {
  /** Returns the state, or null while the wallet is locked. */
  read(): Promise<SessionState | null>
  /** Writes a new state, unless it is the same object. Throws 4100 while locked. */
  change(make: (state: SessionState) => SessionState): Promise<SessionState>
  /** Removes a message from the outbox, because its relay has stored it or will never accept it. */
  published(id: number): Promise<void>
}

export type SessionStoreParts = {
  sealing: Sealing
  session: Store
  /** A new wallet's relays. The first is the default. */
  relays: readonly string[]
}

export const createSessionStore = ({ sealing, session, relays }: SessionStoreParts): SessionStore => {
  const cell = createSealedCell<SessionState>({
    ...sealing,
    name: 'sessions',
    initial: () => initialState(relays.map(relayOf)),
  })
  const sent = createCell<readonly number[]>(session, 'published', [])

  const without = (state: SessionState, ids: readonly number[]): SessionState =>
    state.outbox.some(({ id }) => ids.includes(id))
      ? { ...state, outbox: state.outbox.filter(({ id }) => !ids.includes(id)) }
      : state

  const change: SessionStore['change'] = async make => {
    const ids = await sent.read()
    let changed = false
    const stored = await cell.update(before => {
      const current = without(before, ids)
      const made = make(current)
      changed = made !== current
      return changed ? made : before
    })
    if (changed && ids.length > 0) await sent.update(all => all.filter(id => !ids.includes(id)))
    return changed ? stored : without(stored, ids)
  }

  return {
    read: async () => {
      const ids = await sent.read()
      const stored = await cell.read()
      return stored && without(stored, ids)
    },
    change,
    published: async id => {
      await sent.update(all => [...all, id])
    },
  }
}
