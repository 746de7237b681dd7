/**
 * The stored state of remote sessions: one sealed value. A published message stays in it until the next change, which
 * saves sealing everything once more for each message. The ids of such messages are kept in the session store, so that
 * a restarted worker does not publish them again.
 */
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import { createCell, type Store } from '../storage/store.ts'
import { relayOf } from './relays.ts'
import { initialState, type SessionState } from './state.ts'

export type SessionStore = {
  /** Null while the wallet is locked. */
  read(): Promise<SessionState | null>
  /** Writes a new state, unless it is the same object. Throws 4100 while locked. */
  update(make: (state: SessionState) => SessionState): Promise<SessionState>
  /** Like `update`. Calls the listener after a write, and resolves when it has. */
  change(make: (state: SessionState) => SessionState): Promise<SessionState>
  /** Takes a message that its relay has accepted out of the outbox. */
  published(id: number): Promise<void>
  /** Sets the listener for changes. */
  onChange(listener: () => Promise<void>): void
}

export type SessionStoreParts = {
  sealing: Sealing
  session: Store
  /** The relays of a new wallet. The first is the default. */
  relays: readonly string[]
}

export const createSessionStore = ({ sealing, session, relays }: SessionStoreParts): SessionStore => {
  const cell = createSealedCell<SessionState>({
    ...sealing,
    name: 'sessions',
    initial: () => initialState(relays.map(relayOf)),
  })
  const sent = createCell<readonly number[]>(session, 'published', [])
  let notify = async () => {}

  const without = (state: SessionState, ids: readonly number[]): SessionState =>
    state.outbox.some(({ id }) => ids.includes(id))
      ? { ...state, outbox: state.outbox.filter(({ id }) => !ids.includes(id)) }
      : state

  /** `changed` is true if the state was written. */
  const write = async (make: (state: SessionState) => SessionState) => {
    const ids = await sent.read()
    let changed = false
    const stored = await cell.update(before => {
      const current = without(before, ids)
      const made = make(current)
      changed = made !== current
      return changed ? made : before
    })
    if (changed && ids.length > 0) await sent.update(all => all.filter(id => !ids.includes(id)))
    return { state: changed ? stored : without(stored, ids), changed }
  }

  return {
    read: async () => {
      const ids = await sent.read()
      const stored = await cell.read()
      return stored && without(stored, ids)
    },
    update: async make => (await write(make)).state,
    change: async make => {
      const { state, changed } = await write(make)
      if (changed) await notify()
      return state
    },
    published: async id => {
      await sent.update(all => [...all, id])
      await notify()
    },
    onChange: listener => {
      notify = listener
    },
  }
}
