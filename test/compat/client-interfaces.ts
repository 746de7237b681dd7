/** Interfaces through which tests control a dApp or a wallet of any version. All values are sent between processes. */
export const CHAIN = 'eip155:1'
export const METHODS = ['personal_sign', 'eth_signTypedData_v4']
export const EVENTS = ['accountsChanged', 'chainChanged']

export type Namespaces = Record<string, { accounts: string[]; methods: string[]; events: string[] }>
export type Session = { topic: string }
export type Event = { name: string; data: unknown }
export type Call = { method: string; params: unknown[] }
export type Wanted = { chains: string[]; methods: string[]; events: string[] }
/** Namespaces that a dApp requests, and optionally the topic of a pairing to reuse. */
export type Asked = { required?: Record<string, Wanted>; optional?: Record<string, Wanted>; pairingTopic?: string }
export type Failure = { code: number; message: string }

/** Session state of a v1 wallet. */
export type V1State = { accounts: string[]; chainId: number }

/** Events of a client. v1 requests belong to a session without a name. */
export type News = {
  /** The proposal was approved. */
  session: Session
  /** The proposal was rejected. */
  rejection: Failure
  proposal: { id: number }
  request: Call & Session & { id: number }
  event: Event & Session
  update: { namespaces: Namespaces }
  extend: Session
  ping: Session
  delete: Session
  /** Only v1: changes of a session, and its end. */
  state: V1State
  end: null
}
export type Tell = <Name extends keyof News>(name: Name, news: News[Name]) => void

export type Dapp = {
  /** Proposes a session and returns the pairing link. By default it requires CHAIN, METHODS and EVENTS. */
  connect: (asked?: Asked) => Promise<string>
  /** Resolves with the wallet's response. */
  request: (request: Call & Session & { chainId?: string }) => Promise<unknown>
  /** Like `request`, but resolves with the error as the client received it. */
  attempt: (request: Call & Session & { chainId?: string }) => Promise<{ result: unknown } | { error: Failure }>
  ping: (session: Session) => Promise<void>
  disconnect: (session: Session) => Promise<void>
}

/** Additional methods of newer dApps. */
export type SignIn = {
  /** Requests a sign-in and a session in one step. Returns the pairing link. */
  authenticate: (asked: { chains: string[]; methods: string[] }) => Promise<string>
}

/**
 * Each method resolves once the relay has accepted its message, or earlier. Tests check the arrival at the dApp instead
 * of these clients' `acknowledged`, which never resolves if the acknowledgement arrives before the call.
 */
export type Wallet = {
  pair: (uri: string) => Promise<void>
  approve: (approval: { id: number; namespaces: Namespaces }) => Promise<Session>
  respond: (response: { id: number; result: unknown } & Session) => Promise<void>
  update: (update: { namespaces: Namespaces } & Session) => Promise<void>
  extend: (session: Session) => Promise<void>
  emit: (event: Event & Session) => Promise<void>
  ping: (session: Session) => Promise<void>
  disconnect: (session: Session) => Promise<void>
}

/** A v1 client, as dApp or wallet. It has one session, and queues outgoing messages until it is connected. */
export type V1 = {
  /** As a dApp: proposes a session and returns the pairing link. */
  connect: () => Promise<string>
  /** As a dApp: resolves with the wallet's response. */
  request: (call: Call) => Promise<unknown>
  /** As a wallet: pairs with a link. */
  pair: (uri: string) => Promise<void>
  approve: (state: V1State) => Promise<void>
  update: (state: V1State) => Promise<void>
  respond: (answer: { id: number; result: unknown }) => Promise<void>
  /** Resolves with the topic of the client's subscription. */
  clientId: () => Promise<string>
  disconnect: () => Promise<void>
}
