/** UI methods for remote sessions and relays. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { findPairingLink } from '@heliograph/shared/pasted/pairing-link'
import { type PairingUri, parsePairingUri } from '@heliograph/shared/wire/pairing-uri'
import { accountsOf } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import type { Networks } from '../networks/networks.ts'
import { approve } from '../session/approve.ts'
import { disconnect, extend, findSession, ping, update } from '../session/changes.ts'
import type { Sessions } from '../session/engine.ts'
import { currentFirst, selectedFirst } from '../session/fit.ts'
import { grant, regrant } from '../session/namespaces.ts'
import {
  assertUsable,
  findProposal,
  forgetPairing,
  movePairing,
  pair,
  proposalKey,
  rejectProposal,
} from '../session/pairing.ts'
import type { OpenSocket } from '../session/relay-client.ts'
import { testRelay } from '../session/relay-test.ts'
import { toRelayUrl } from '../session/relay-url.ts'
import { MAX_RELAYS, relayOf } from '../session/relays.ts'
import type { SessionState } from '../session/state.ts'
import type { Cell } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import type { Ui } from './parts.ts'

export type SessionsUi = Pick<
  Ui,
  | 'readPairing'
  | 'pair'
  | 'movePairing'
  | 'forgetPairing'
  | 'approveProposal'
  | 'rejectProposal'
  | 'updateSession'
  | 'extendSession'
  | 'pingSession'
  | 'disconnectSession'
  | 'disconnectAllSessions'
  | 'testRelay'
  | 'addRelay'
  | 'removeRelay'
  | 'setDefaultRelay'
  | 'retryRelays'
>

export type SessionsUiParts = {
  sessions: Sessions
  openSocket: OpenSocket
  vault: Vault
  networks: Networks
  selectedAccount: Cell<string | null>
  now(): number
}

/** Link parameter by which an app names its relay. */
const RELAY_PARAMETER = 'relay-url'

/** The metadata that the wallet sends to peers. */
const METADATA = { name: 'Heliograph', description: 'A wallet with its own relay', url: '', icons: [] }

const requireRelayUrl = (text: string): string => {
  const url = toRelayUrl(text)
  if (url === undefined) throw rpcError('invalidParams', 'notRelayUrl')
  return url
}

const namedRelay = ({ extras }: PairingUri): string | null => {
  const named = extras[RELAY_PARAMETER]
  return named === undefined ? null : (toRelayUrl(named) ?? null)
}

const hasRelay = ({ relays }: SessionState, url: string): boolean => relays.some(relay => relay.url === url)

/** Returns the chosen relay, or the default one. Throws -32602 unless the relay was added before. */
const chosenRelay = (state: SessionState, chosen: string | undefined): string => {
  const url = chosen === undefined ? state.relays[0]?.url : requireRelayUrl(chosen)
  if (url === undefined) throw rpcError('invalidParams', 'noRelay')
  if (!hasRelay(state, url)) throw rpcError('invalidParams', 'unknownRelay')
  return url
}

/** Returns the chosen items, or all. Throws -32602 if an item is not offered. */
const pick = <T extends string | number>(chosen: readonly T[] | undefined, from: readonly T[]): readonly T[] => {
  const strange = chosen?.find(one => !from.includes(one))
  if (strange !== undefined) throw rpcError('invalidParams', 'notOffered', { value: strange })
  return chosen ?? from
}

/** Finds the pairing link in pasted text, which may also be in base64. Throws ValueError. */
const readLink = (text: string): PairingUri => parsePairingUri(findPairingLink(text) ?? text)

export const createSessionsUi = ({
  sessions,
  openSocket,
  vault,
  networks,
  selectedAccount,
  now,
}: SessionsUiParts): SessionsUi => {
  const read = async (): Promise<SessionState> => {
    const state = await sessions.read()
    if (!state) throw rpcError('unauthorized', 'locked')
    return state
  }
  const act = async (make: (state: SessionState) => SessionState): Promise<null> => {
    await sessions.change(make)
    return null
  }
  const requireOwn = async (addresses: readonly string[]): Promise<Address[]> => {
    const own = accountsOf(await vault.read()).map(({ address }) => address)
    const found = addresses.map(address => {
      const account = own.find(candidate => sameAddress(candidate, toAddress(address)))
      if (!account) throw rpcError('invalidParams', 'unknownAccount', { address })
      return account
    })
    return selectedFirst([...new Set(found)], await selectedAccount.read())
  }
  const tested = async (url: string) => Math.round(await testRelay(url, { openSocket, now }))

  return {
    readPairing: async ({ uri: text }) => {
      const uri = readLink(text)
      const state = await read()
      assertUsable(state, uri, now())
      const relay = namedRelay(uri)
      const { expiryTimestamp } = uri
      return {
        expiresAt: expiryTimestamp === undefined ? null : expiryTimestamp * 1000,
        relay,
        isRelayKnown: relay !== null && hasRelay(state, relay),
      }
    },
    pair: async ({ uri: text, relay }) => {
      const uri = readLink(text)
      await sessions.change(state => pair(state, uri, chosenRelay(state, relay), now()))
      return { id: uri.topic }
    },
    movePairing: ({ id, relay }) => act(state => movePairing(state, id, chosenRelay(state, relay), now())),
    forgetPairing: ({ id }) => act(state => forgetPairing(state, id, now())),
    approveProposal: async ({ id, accounts, endsAt = null, ...choice }) => {
      const state = await read()
      const made = state.sessions.find(({ proposal }) => proposal === id)
      if (made) return { id: made.topic }
      const proposal = findProposal(state, id)
      const [given, offer, { chainId }] = await Promise.all([
        requireOwn(accounts),
        sessions.offer(proposal),
        networks.selected(),
      ])
      const namespaces = grant(given, {
        chainIds: currentFirst(pick(choice.chainIds, offer.chainIds), chainId),
        methods: pick(choice.methods, offer.methods),
        events: offer.events,
      })
      let topic = ''
      await sessions.change(state => {
        const settled = approve(state, findProposal(state, id), { namespaces, endsAt, metadata: METADATA }, now())
        topic = settled.sessions.at(-1)?.topic ?? ''
        return settled
      })
      return { id: topic }
    },
    rejectProposal: ({ id }) =>
      act(state => {
        const proposal = state.proposals.find(waiting => proposalKey(waiting) === id)
        return proposal ? rejectProposal(state, proposal, now()) : state
      }),
    updateSession: async ({ id, accounts, chainIds, methods }) => {
      const session = findSession(await read(), id)
      const [{ methods: wanted }, known] = await Promise.all([sessions.offer(session), networks.list()])
      const change = {
        ...(accounts && { accounts: await requireOwn(accounts) }),
        ...(chainIds && {
          chainIds: pick(
            chainIds,
            known.map(({ chainId }) => chainId),
          ),
        }),
        ...(methods && { methods: pick(methods, wanted) }),
      }
      return act(state => update(state, id, regrant(findSession(state, id).namespaces, change), now()))
    },
    extendSession: ({ id }) => act(state => extend(state, id, now())),
    pingSession: ({ id }) => act(state => ping(state, id, now())),
    disconnectSession: ({ id }) => act(state => disconnect(state, id, now())),
    disconnectAllSessions: () =>
      act(state => state.sessions.reduce((left, { topic }) => disconnect(left, topic, now()), state)),
    testRelay: async ({ url }) => ({ latency: await tested(requireRelayUrl(url)) }),
    addRelay: async ({ url: text }) => {
      const url = requireRelayUrl(text)
      const { relays } = await read()
      if (relays.length >= MAX_RELAYS) throw rpcError('limitExceeded', 'tooManyRelays', { limit: MAX_RELAYS })
      const latency = await tested(url)
      await act(state => (hasRelay(state, url) ? state : { ...state, relays: [...state.relays, relayOf(url)] }))
      return { url, latency }
    },
    removeRelay: ({ url }) =>
      act(state => {
        if ([...state.sessions, ...state.pairings].some(({ relay }) => relay === url))
          throw rpcError('invalidParams', 'relayInUse')
        return {
          ...state,
          relays: state.relays.filter(relay => relay.url !== url),
          outbox: state.outbox.filter(({ relay }) => relay !== url),
        }
      }),
    setDefaultRelay: ({ url }) =>
      act(state => {
        const first = state.relays.find(relay => relay.url === url)
        if (!first) throw rpcError('invalidParams', 'unknownRelay')
        return { ...state, relays: [first, ...state.relays.filter(relay => relay !== first)] }
      }),
    retryRelays: async () => {
      sessions.wake()
      return null
    },
  }
}
