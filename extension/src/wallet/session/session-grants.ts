/** The sessions' grants by topic, and changes to them. */
import type { SessionPeerView } from '../../messages.ts'
import { type SessionGrants, sessionOrigin } from '../sites/sites.ts'
import { changeChain, disconnect, update } from './changes.ts'
import { grantedAccounts, grantedChains, regrant } from './namespaces.ts'
import { requestKey } from './peer-request.ts'
import type { SessionStore } from './session-store.ts'
import { type Session, sessionOf } from './state.ts'
import { sessionPeerView } from './views.ts'

export type SessionRecords = SessionGrants & {
  /** Returns the peer of the session with this origin. Null if there is none, or while the wallet is locked. */
  peer(origin: string): Promise<SessionPeerView | null>
  /** Switches all sessions to the wallet's new chain. */
  moved(chainId: number): Promise<void>
  /** True if the request with this key still waits for a response, or if that is unknown. */
  isWaiting(key: string): Promise<boolean>
}

export const createSessionRecords = (store: SessionStore, now: () => number): SessionRecords => {
  const find = async (topic: string): Promise<Session | undefined> => {
    const state = await store.read()
    return state ? sessionOf(state, topic) : undefined
  }

  return {
    site: async topic => {
      const session = await find(topic)
      return (
        session && {
          origin: sessionOrigin(topic),
          accounts: grantedAccounts(session.namespaces),
          since: session.createdAt,
        }
      )
    },
    chainOf: async topic => (await find(topic))?.chainId,
    claimedUrl: async topic => (await find(topic))?.peer.url ?? null,
    choose: async (topic, chainId) => {
      await store.change(state => {
        const session = sessionOf(state, topic)
        if (!session) return state
        const chainIds = grantedChains(session.namespaces)
        const given = chainIds.includes(chainId)
          ? state
          : update(state, topic, regrant(session.namespaces, { chainIds: [...chainIds, chainId] }), now())
        return changeChain(given, topic, chainId, now())
      })
    },
    end: async topic => {
      await store.change(state => (sessionOf(state, topic) ? disconnect(state, topic, now()) : state))
    },
    peer: async origin => {
      const session = (await store.read())?.sessions.find(({ topic }) => sessionOrigin(topic) === origin)
      return session ? sessionPeerView(session) : null
    },
    moved: async chainId => {
      if (!(await store.read())) return
      await store.change(state =>
        state.sessions.reduce((all, { topic }) => changeChain(all, topic, chainId, now()), state),
      )
    },
    isWaiting: async key => {
      const state = await store.read()
      return !state || state.requests.some(request => requestKey(request) === key)
    },
  }
}
