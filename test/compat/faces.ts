/** What a test asks of a dApp or a wallet, whoever made it, and what it hears of it. All of it goes between processes. */
export const CHAIN = 'eip155:1'
export const METHODS = ['personal_sign', 'eth_signTypedData_v4']
export const EVENTS = ['accountsChanged', 'chainChanged']

export type Namespaces = Record<string, { accounts: string[]; methods: string[]; events: string[] }>
export type Session = { topic: string }
export type Event = { name: string; data: unknown }
export type Call = { method: string; params: unknown[] }

/** What a client tells without being asked. */
export type News = {
  /** The proposal was approved. */
  session: Session
  proposal: { id: number }
  request: Call & Session & { id: number }
  event: Event & Session
  update: { namespaces: Namespaces }
  extend: Session
  ping: Session
  delete: Session
}
export type Tell = <Name extends keyof News>(name: Name, news: News[Name]) => void

export type Dapp = {
  /** Proposes a session and gives the link to pair with. */
  connect: () => Promise<string>
  /** Gives the wallet's answer. */
  request: (request: Call & Session) => Promise<unknown>
  ping: (session: Session) => Promise<void>
  disconnect: (session: Session) => Promise<void>
}

/**
 * Each of these resolves when the relay has what it sends, at the latest. That the dApp has got it is seen there: what these
 * clients give to wait for its acknowledgement, `acknowledged`, waits in vain when that comes before it is waited for.
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
