/** The last published v1 client. Outside of a browser, the application stores its session. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type { Tell, V1, V1State } from './client-interfaces.ts'

type Package = typeof import('client-1.8')
type Client = import('client-1.8').default
type Options = ConstructorParameters<Package['default']>[0]

const clientMeta = { name: 'A client', description: 'Of v1', url: 'http://localhost', icons: [] }

/** Argument of a listener. */
type Payload = { id: number; method: string; params: unknown[] }

/** Loads the package with `require`. Node's `import` would wrap the default export of this CommonJS package. */
const loadPackage = (): Package => createRequire(import.meta.url)('client-1.8')

/** Opens a client. `bridge` is the bridge's URL for this client, `path` the file of its session. */
export const openV1Client = async (bridge: string, path: string, tell: Tell): Promise<V1> => {
  const { default: Connector } = loadPackage()

  const keep = (client: Client): void => {
    if (client.connected) writeFileSync(path, JSON.stringify(client.session))
    else rmSync(path, { force: true })
  }

  const start = (options: Options): Client => {
    const client = new Connector({ clientMeta, ...options })
    const hear = (event: string, listener: (payload: Payload) => void): void =>
      client.on(event, (error, payload) => {
        if (error) throw error
        keep(client)
        listener(payload)
      })
    for (const event of ['connect', 'session_update']) hear(event, ({ params }) => tell('state', stateOf(params)))
    hear('session_request', ({ id }) => tell('proposal', { id }))
    hear('call_request', ({ id, method, params }) => tell('request', { id, method, params, topic: client.peerId }))
    hear('disconnect', () => tell('end', null))
    return client
  }

  let turn = Promise.resolve()
  /**
   * Resolves in a later millisecond than the previous call, because ids consist of the time in ms and three random
   * digits.
   */
  const ownMillisecond = (): Promise<void> => {
    turn = turn.then(async () => {
      const last = Date.now()
      while (Date.now() === last) await pause(1)
    })
    return turn
  }

  let client = start(existsSync(path) ? { bridge, session: JSON.parse(readFileSync(path, 'utf8')) } : { bridge })

  return {
    connect: async () => {
      client = start({ bridge })
      await client.createSession()
      return client.uri
    },
    request: async ({ method, params }) => {
      await ownMillisecond()
      return client.sendCustomRequest({ method, params })
    },
    pair: async uri => {
      // The link names the bridge's URL for the dApp. It is replaced, because this client has its own breakable
      // connection.
      client = start({ uri: uri.replace(/bridge=[^&]+/, `bridge=${encodeURIComponent(bridge)}`) })
    },
    approve: async state => {
      client.approveSession(state)
      keep(client)
    },
    update: async state => client.updateSession(state),
    respond: async ({ id, result }) => client.approveRequest({ id, result }),
    clientId: async () => client.clientId,
    disconnect: () => client.killSession(),
  }
}

const stateOf = ([first]: unknown[]): V1State => {
  const { accounts, chainId } = first as V1State
  return { accounts, chainId }
}
