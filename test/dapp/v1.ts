/**
 * The v1 page of the demo site: a site and a wallet, both with the published client, paired over the bridge. The output
 * `request` shows the wallet's request, in the state `waiting` until the user decides.
 */
import { button, connectButtons, element, hexOf, show } from './page.ts'

type Call = { id: number; method: string; params: unknown[] }

/** The part of the client's interface that is used here. */
type Client = {
  connected: boolean
  accounts: string[]
  chainId: number
  uri: string
  on(event: string, listener: (error: Error | null, payload: Call) => void): void
  createSession(options: { chainId: number }): Promise<void>
  approveSession(session: { accounts: string[]; chainId: number }): void
  rejectSession(): void
  approveRequest(answer: { id: number; result: unknown }): void
  rejectRequest(answer: { id: number; error: { message: string } }): void
  sendCustomRequest(request: { method: string; params: unknown[] }): Promise<unknown>
  killSession(): Promise<void>
}
type Place = { bridge: string } | { uri: string }

declare const WalletConnect: { default: new (options: Place & { storageId: string; clientMeta: object }) => Client }

const HELLO = 'Hello over the bridge.'
const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const { bridge = '', chain = '' } = document.body.dataset

/** Opens a client. It continues the session stored in the browser, unless `place` names another one. */
function openClient(side: 'site' | 'wallet', place: Place): Client {
  const clientMeta = { name: `The ${side} of the demo`, description: '', url: location.origin, icons: [] }
  return new WalletConnect.default({ storageId: `v1-${side}`, clientMeta, ...place })
}

let site = openSite()
openWallet({ bridge })

function openSite(): Client {
  const client = openClient('site', { bridge })
  for (const event of ['connect', 'session_update', 'disconnect']) client.on(event, refresh)
  return client
}

function openWallet(place: Place) {
  const client = openClient('wallet', place)
  client.on('session_request', (_, { params }) =>
    review(params[0], {
      approve: async () => client.approveSession({ accounts: await accounts(), chainId: await chainId() }),
      reject: () => client.rejectSession(),
    }),
  )
  client.on('call_request', (_, { id, method, params }) =>
    review(
      { method, params },
      {
        approve: async () => client.approveRequest({ id, result: await askChain(method, params) }),
        reject: () => client.rejectRequest({ id, error: { message: 'The user rejected the request.' } }),
      },
    ),
  )
}

/** Sends a request to the local chain, which has the keys of its accounts. */
async function askChain(method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(chain, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = await response.json()
  if (error) throw new Error(error.message)
  return result
}

const chainId = async () => Number(await askChain('eth_chainId'))
const accounts = async () => ((await askChain('eth_accounts')) as string[]).slice(0, 1)

type Decisions = { approve: () => Promise<void>; reject: () => void }

/** Shows the wallet's request until a button decides it. */
function review(request: unknown, { approve, reject }: Decisions) {
  const output = element('request', HTMLOutputElement)
  show(output, 'waiting', JSON.stringify(request, null, 2))
  const decideBy = (name: string, decide: () => unknown, word: string) => {
    button(name).disabled = false
    button(name).onclick = async () => {
      for (const other of ['approve', 'reject']) button(other).disabled = true
      try {
        await decide()
        show(output, 'result', word)
      } catch (error) {
        show(output, 'error', (error as Error).message)
      }
    }
  }
  decideBy('approve', approve, 'Approved')
  decideBy('reject', reject, 'Rejected')
}

function refresh() {
  element('account', HTMLElement).textContent = site.connected ? (site.accounts[0] ?? '') : 'not connected'
  element('chain', HTMLElement).textContent = site.connected ? `${site.chainId}` : 'unknown'
  for (const name of ['personal_sign', 'eth_sendTransaction', 'disconnect']) button(name).disabled = !site.connected
}

connectButtons({
  pairing: async () => {
    if (site.connected) await site.killSession()
    site = openSite()
    await site.createSession({ chainId: await chainId() })
    element('uri', HTMLInputElement).value = site.uri
    return site.uri
  },
  personal_sign: () => site.sendCustomRequest({ method: 'personal_sign', params: [hexOf(HELLO), site.accounts[0]] }),
  eth_sendTransaction: () => {
    const transaction = { from: site.accounts[0], to: RECEIVER, data: '0x', value: '0x1' }
    return site.sendCustomRequest({ method: 'eth_sendTransaction', params: [transaction] })
  },
  disconnect: () => site.killSession(),
})
button('pair').addEventListener('click', () => {
  localStorage.removeItem('v1-wallet')
  openWallet({ uri: element('uri', HTMLInputElement).value.trim() })
})
refresh()
