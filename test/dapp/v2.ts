/**
 * The v2 page of the demo site: the published client, paired with a wallet over the relay. The output `session` shows
 * the wallet's response to the proposal, in the state `waiting` until it arrives.
 */
import { qrOf } from '../../extension/src/ui/model/qr.ts'
import { button, connectButtons, element, hexOf, show } from './page.ts'

type Namespaces = { eip155?: { accounts: readonly string[] } }
type Session = { topic: string; namespaces: Namespaces; peer: { metadata: { name: string } } }

/** The part of the client's interface that is used here. */
type Client = {
  core: { verify: { register(): Promise<string> } }
  session: { getAll(): readonly Session[] }
  on(event: string, listener: () => void): void
  connect(wanted: { optionalNamespaces: object }): Promise<{ uri?: string; approval(): Promise<Session> }>
  request(asked: { topic: string; chainId: string; request: { method: string; params: unknown[] } }): Promise<unknown>
  disconnect(ended: { topic: string; reason: { code: number; message: string } }): Promise<void>
}

const library = Reflect.get(globalThis, '@walletconnect/sign-client') as {
  SignClient: { init(options: object): Promise<Client> }
}

const CHAIN = 'eip155:31337'
const METHODS = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']
const EVENTS = ['accountsChanged', 'chainChanged']
const HELLO = 'Hello over the relay.'
const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const QUIET_ZONE = 4

const { relay = '' } = document.body.dataset

const client = await library.SignClient.init({
  relayUrl: relay,
  projectId: '0'.repeat(32),
  telemetryEnabled: false,
  metadata: { name: 'Demo site', description: 'Of this repository', url: location.origin, icons: [] },
})

// Disables the client's registration of the site with its verification server. Otherwise, before each request, the
// client would wait five seconds for a page that the content security policy blocks.
client.core.verify.register = async () => ''

/** Returns the current session, which survives a reload of the page. */
const current = (): Session | undefined => client.session.getAll().at(-1)

function required(): Session {
  const session = current()
  if (!session) throw new Error('No wallet is connected.')
  return session
}

/** Returns the chain and the address of the first account. */
function account({ namespaces }: Session): { chain: string; address: string } {
  const [namespace, reference, address = ''] = (namespaces.eip155?.accounts[0] ?? '').split(':')
  return { chain: `${namespace}:${reference}`, address }
}

function ask(method: string, paramsFor: (address: string) => unknown[]): Promise<unknown> {
  const session = required()
  const { chain, address } = account(session)
  return client.request({ topic: session.topic, chainId: chain, request: { method, params: paramsFor(address) } })
}

/** Draws a text as a QR code, dark on white as scanners expect. */
function draw(text: string) {
  const modules = qrOf(text)
  const size = modules.length + 2 * QUIET_ZONE
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  const squares = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  path.setAttribute('d', squares.join(''))
  const image = element('qr', SVGElement)
  image.setAttribute('viewBox', `${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`)
  image.replaceChildren(path)
  image.removeAttribute('hidden')
}

/** Shows the outcome of a proposal, once it is decided. */
async function follow(approval: Promise<Session>) {
  const output = element('session', HTMLOutputElement)
  show(output, 'waiting', 'Waiting for the wallet')
  try {
    const { namespaces } = await approval
    show(output, 'result', JSON.stringify(namespaces, null, 2))
    element('qr', SVGElement).setAttribute('hidden', '')
    element('pairing', HTMLOutputElement).textContent = ''
    element('uri', HTMLInputElement).value = ''
  } catch (error) {
    const { code, message } = error as { code?: number; message: string }
    show(output, 'error', JSON.stringify({ code, message }, null, 2))
  }
  refresh()
}

function mail() {
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Mail: [
        { name: 'to', type: 'address' },
        { name: 'words', type: 'string' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Lighthouse', chainId: Number(account(required()).chain.split(':')[1]) },
    message: { to: RECEIVER, words: HELLO },
  }
}

function refresh() {
  const session = current()
  const { chain, address } = session ? account(session) : { chain: 'unknown', address: 'not connected' }
  element('wallet', HTMLElement).textContent = session?.peer.metadata.name ?? 'not connected'
  element('account', HTMLElement).textContent = address
  element('chain', HTMLElement).textContent = chain
  for (const name of [...METHODS, 'disconnect']) button(name).disabled = !session
}

connectButtons({
  pairing: async () => {
    const wanted = { eip155: { chains: [CHAIN], methods: METHODS, events: EVENTS } }
    const { uri = '', approval } = await client.connect({ optionalNamespaces: wanted })
    // The link names the site's relay, so a wallet that uses another relay can switch to this one for the session.
    const link = `${uri}&relay-url=${encodeURIComponent(relay)}`
    draw(link)
    element('uri', HTMLInputElement).value = link
    follow(approval())
    return link
  },
  disconnect: async () => {
    await client.disconnect({ topic: required().topic, reason: { code: 6000, message: 'The user disconnected' } })
    refresh()
  },
  personal_sign: () => ask('personal_sign', address => [hexOf(HELLO), address]),
  eth_signTypedData_v4: () => ask('eth_signTypedData_v4', address => [address, JSON.stringify(mail())]),
  eth_sendTransaction: () =>
    ask('eth_sendTransaction', address => [{ from: address, to: RECEIVER, data: '0x', value: '0x1' }]),
})
for (const event of ['session_update', 'session_delete', 'session_expire']) client.on(event, refresh)
button('pairing').disabled = false
refresh()
