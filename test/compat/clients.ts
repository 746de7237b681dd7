/**
 * Published clients of other projects, unmodified. Documented options set the relay and the storage, and disable
 * telemetry.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { WalletKitTypes } from '@reown/walletkit'
import type { ConnectParams } from '@walletconnect/universal-provider'
import { WebSocket } from 'ws'
import type { Asked, Failure, SignIn, Tell, V1, Wallet } from './client-interfaces.ts'
import {
  type Call,
  CHAIN,
  type Dapp,
  EVENTS,
  type Event,
  METHODS,
  type Namespaces,
  type Session,
} from './client-interfaces.ts'
import { openV1Client } from './v1-client.ts'

export type Options = { relayUrl: string; folder: string }
type Open<Face> = (options: Options, tell: Tell) => Promise<Face>

const requiredNamespaces = { eip155: { chains: [CHAIN], methods: METHODS, events: EVENTS } }
const reason = { code: 6000, message: 'User disconnected' }
const metadata = { name: 'A client', description: 'Of a test', url: 'http://localhost', icons: [] }

const optionsOf = ({ relayUrl, folder }: Options) => ({
  relayUrl,
  projectId: '0123456789abcdef0123456789abcdef',
  metadata,
  storageOptions: { database: folder },
  telemetryEnabled: false,
})

/** Methods that all versions since 2022 have under these names. */
type SigningDapp = {
  connect: (params: {
    requiredNamespaces: NonNullable<Asked['required']>
    optionalNamespaces: NonNullable<Asked['optional']>
    pairingTopic?: string
  }) => Promise<{ uri?: string | undefined; approval: () => Promise<Session> }>
  request: (params: { chainId: string; request: Call } & Session) => Promise<unknown>
  ping: Dapp['ping']
  disconnect: (params: { reason: typeof reason } & Session) => Promise<void>
}
type SigningWallet = {
  pair: (params: { uri: string }) => Promise<unknown>
  approve: (params: { id: number; namespaces: Namespaces }) => Promise<Session>
  respond: (params: { response: { id: number; jsonrpc: string; result: unknown } } & Session) => Promise<void>
  update: (params: { namespaces: Namespaces } & Session) => Promise<unknown>
  extend: (params: Session) => Promise<unknown>
  emit: (params: { chainId: string; event: Event } & Session) => Promise<void>
  ping: Wallet['ping']
  disconnect: SigningDapp['disconnect']
}

/** Converts what these clients throw: plain objects, and errors with a code. */
const failureOf = (thrown: unknown): Failure => {
  const { code = 0, message = '' } = thrown as Partial<Failure>
  return { code, message }
}

const askingBy = (request: Dapp['request']): Pick<Dapp, 'request' | 'attempt'> => ({
  request,
  attempt: asked =>
    request(asked).then(
      result => ({ result }),
      thrown => ({ error: failureOf(thrown) }),
    ),
})

const dappOf = (client: SigningDapp, tell: Tell): Dapp => ({
  connect: async ({ required, optional = {}, ...pairing } = { required: requiredNamespaces }) => {
    const { uri = '', approval } = await client.connect({
      requiredNamespaces: required ?? {},
      optionalNamespaces: optional,
      ...pairing,
    })
    approval().then(
      ({ topic }) => tell('session', { topic }),
      failure => tell('rejection', failureOf(failure)),
    )
    return uri
  },
  ...askingBy(({ topic, method, params, chainId = CHAIN }) =>
    client.request({ topic, chainId, request: { method, params } }),
  ),
  ping: session => client.ping(session),
  disconnect: ({ topic }) => client.disconnect({ topic, reason }),
})

type SigningIn = {
  authenticate: (params: {
    chains: string[]
    methods: string[]
    domain: string
    nonce: string
    uri: string
  }) => Promise<{
    uri: string
    response: () => Promise<{ session?: Session | undefined }>
  }>
}

const signInOf = (client: SigningIn, tell: Tell): SignIn => ({
  authenticate: async asked => {
    const site = { domain: 'localhost', nonce: '0123456789abcdef', uri: metadata.url }
    const { uri, response } = await client.authenticate({ ...asked, ...site })
    response().then(
      ({ session }) => session && tell('session', { topic: session.topic }),
      failure => tell('rejection', failureOf(failure)),
    )
    return uri
  },
})

const walletOf = (client: SigningWallet): Wallet => ({
  pair: async uri => {
    await client.pair({ uri })
  },
  approve: async approval => {
    const { topic } = await client.approve(approval)
    return { topic }
  },
  respond: ({ topic, id, result }) => client.respond({ topic, response: { id, jsonrpc: '2.0', result } }),
  update: async update => {
    await client.update(update)
  },
  extend: async session => {
    await client.extend(session)
  },
  emit: ({ topic, name, data }) => client.emit({ topic, chainId: CHAIN, event: { name, data } }),
  ping: session => client.ping(session),
  disconnect: ({ topic }) => client.disconnect({ topic, reason }),
})

type Request = { id: number; params: { request: Call } } & Session
type Requested = {
  on(name: 'session_request', listener: (request: Request) => void): unknown
  getPendingSessionRequests(): readonly Request[]
}

/**
 * Reports each request once. A wallet receives stored messages while it opens, so a later listener finds them among the
 * pending requests.
 */
const hearRequests = (wallet: Requested, tell: Tell): void => {
  const heard = new Set<number>()
  const hearOnce = ({ id, topic, params }: Request): void => {
    if (heard.has(id)) return
    heard.add(id)
    tell('request', { id, topic, ...params.request })
  }
  wallet.on('session_request', hearOnce)
  wallet.getPendingSessionRequests().forEach(hearOnce)
}

type Listening = {
  on(name: 'session_proposal', listener: (news: { id: number }) => void): unknown
  on(name: 'session_event', listener: (news: { params: { event: Event } } & Session) => void): unknown
  on(name: 'session_update', listener: (news: { params: { namespaces: Namespaces } }) => void): unknown
  on(name: 'session_extend' | 'session_ping' | 'session_delete', listener: (news: Session) => void): unknown
}

const hear = (client: Listening, tell: Tell): void => {
  client.on('session_proposal', ({ id }) => tell('proposal', { id }))
  client.on('session_event', ({ topic, params }) => tell('event', { topic, ...params.event }))
  client.on('session_update', ({ params: { namespaces } }) => tell('update', { namespaces }))
  client.on('session_extend', ({ topic }) => tell('extend', { topic }))
  client.on('session_ping', ({ topic }) => tell('ping', { topic }))
  client.on('session_delete', ({ topic }) => tell('delete', { topic }))
}

/** Opens sign-client 2.21, which proposes and approves through methods of the relay. */
const openSignClient: Open<Dapp & Wallet & SignIn> = async (options, tell) => {
  const { SignClient } = await import('@walletconnect/sign-client')
  const client = await SignClient.init(optionsOf(options))
  hear(client, tell)
  hearRequests(client, tell)
  return { ...dappOf(client, tell), ...walletOf(client), ...signInOf(client, tell) }
}

/** Opens sign-client 2.17, which proposes and approves by publishing and subscribing, and fetches stored messages. */
const openSignClient217: Open<Dapp & Wallet & SignIn> = async (options, tell) => {
  const { SignClient } = await import('sign-client-2.17')
  const client = await SignClient.init(optionsOf(options))
  hear(client, tell)
  hearRequests(client, tell)
  return { ...dappOf(client, tell), ...walletOf(client), ...signInOf(client, tell) }
}

/** A socket that emits each message in a separate event loop turn, as browsers do. */
class BrowserLikeSocket extends WebSocket {
  constructor(url: string) {
    super(url, { allowSynchronousEvents: false })
  }
}

/**
 * Opens a beta of 2022, which uses `waku_` and no client key. It records a request only after the relay's response and
 * a write to its storage, and throws if the response to the request arrives earlier. It therefore gets a separate task
 * for each message and a storage that does not wait for a disk, as in a browser.
 */
const openBeta: Open<Dapp & Wallet> = async (options, tell) => {
  Object.assign(globalThis, { WebSocket: BrowserLikeSocket })
  const { Client } = await import('@walletconnect/client')
  const client = await Client.init({ ...optionsOf(options), storageOptions: { database: ':memory:' } })
  client.on('session_proposal', ({ id }) => tell('proposal', { id }))
  client.on('request', ({ id, params: { topic, request } }) => tell('request', { id, topic, ...request }))
  client.on('event', ({ params: { topic, event } }) => tell('event', { topic, ...event }))
  client.on('session_update', ({ params: { namespaces } }) => tell('update', { namespaces }))
  client.on('session_extend', ({ params }) => tell('extend', params))
  client.on('session_ping', ({ params }) => tell('ping', params))
  client.on('session_delete', ({ params }) => tell('delete', params))
  return { ...dappOf(client, tell), ...walletOf(client) }
}

const openUniversalProvider: Open<Dapp> = async (options, tell) => {
  const { UniversalProvider } = await import('@walletconnect/universal-provider')
  const provider = await UniversalProvider.init({ ...optionsOf(options), disableProviderPing: true })
  hear(provider, tell)
  provider.client.on('session_extend', ({ topic }) => tell('extend', { topic }))
  return {
    ...dappOf(provider.client, tell),
    connect: ({ required = {}, optional = {} } = { optional: requiredNamespaces }) =>
      new Promise(resolve => {
        provider.once('display_uri', resolve)
        provider.connect({ requiredNamespaces: required, optionalNamespaces: optional } as ConnectParams).then(
          session => session && tell('session', { topic: session.topic }),
          failure => tell('rejection', failureOf(failure)),
        )
      }),
    ...askingBy(({ method, params, chainId = CHAIN }) => provider.request({ method, params }, chainId)),
    disconnect: () => provider.disconnect(),
  }
}

/** Returns the requested chain ids in the form of this provider. The provider requests all methods that it knows. */
const chainIdsOf = (wanted: Asked['required'] = {}): number[] =>
  (wanted.eip155?.chains ?? []).map(chain => Number(chain.slice('eip155:'.length)))

/**
 * Opens a provider that wraps a universal provider, which emits more events. The provider's own dialog is not opened.
 */
const openEthereumProvider: Open<Dapp> = async (options, tell) => {
  const { EthereumProvider } = await import('@walletconnect/ethereum-provider')
  const optionalChains = chainIdsOf(requiredNamespaces) as [number, ...number[]]
  const provider = await EthereumProvider.init({
    ...optionsOf(options),
    optionalChains,
    showQrModal: false,
    disableProviderPing: true,
  })
  const { client } = provider.signer
  hear(provider.signer, tell)
  client.on('session_extend', ({ topic }) => tell('extend', { topic }))
  return {
    ...dappOf(client, tell),
    connect: ({ required, optional } = { optional: requiredNamespaces }) =>
      new Promise(resolve => {
        provider.once('display_uri', resolve)
        provider.connect({ chains: chainIdsOf(required), optionalChains: chainIdsOf(optional) }).then(
          () => provider.session && tell('session', { topic: provider.session.topic }),
          failure => tell('rejection', failureOf(failure)),
        )
      }),
    ...askingBy(({ method, params }) => provider.request({ method, params })),
    disconnect: () => provider.disconnect(),
  }
}

const openWalletKit: Open<Wallet> = async (options, tell) => {
  const [{ Core }, { WalletKit }] = await Promise.all([import('@walletconnect/core'), import('@reown/walletkit')])
  // The cast is needed because the package's own types do not agree under `exactOptionalPropertyTypes`.
  const core = new Core(optionsOf(options)) as WalletKitTypes.Options['core']
  const kit = await WalletKit.init({ core, metadata })
  hear(kit.engine.signClient.events, tell)
  hearRequests(kit, tell)
  return walletOf({
    pair: kit.pair,
    approve: kit.approveSession,
    respond: kit.respondSessionRequest,
    update: kit.updateSession,
    extend: kit.extendSession,
    emit: kit.emitSessionEvent,
    ping: kit.engine.signClient.ping,
    disconnect: kit.disconnectSession,
  })
}

const openV1: Open<V1> = ({ relayUrl, folder }, tell) =>
  openV1Client(relayUrl.replace('ws', 'http'), `${folder}.json`, tell)

/** Milliseconds after which a 2.21 client looks once for messages that it has received, but not processed. */
const LOOKS_AFTER = 1000
/**
 * Opens a 2.21 client, and waits until it has looked. A message that it is processing at that moment is processed a
 * second time, and without its attestation: the client exits because a session is deleted twice, or asks a third party
 * about a request. The client started its timer before this one, so it runs first.
 */
const untilLooked =
  <Face>(open: Open<Face>): Open<Face> =>
  async (options, tell) => {
    const client = await open(options, tell)
    await pause(LOOKS_AFTER + 1)
    return client
  }

export const clients = {
  'sign-client 2.21': untilLooked(openSignClient),
  'sign-client 2.17': openSignClient217,
  'universal-provider 2.21': untilLooked(openUniversalProvider),
  'ethereum-provider 2.21': untilLooked(openEthereumProvider),
  'walletkit 1.2': untilLooked(openWalletKit),
  'client 2.0.0-beta.52': openBeta,
  'client 1.8': openV1,
}
export type Kind = keyof typeof clients
export type Face<K extends Kind> = Awaited<ReturnType<(typeof clients)[K]>>
