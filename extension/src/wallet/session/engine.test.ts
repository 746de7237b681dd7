import {
  decodeEnvelope,
  deriveSymKey,
  openEnvelope,
  sealEnvelope,
  topicOf,
  x25519PublicKey,
} from '@heliograph/shared/wire/envelope'
import { encodeError, encodeRequest, encodeResult } from '@heliograph/shared/wire/json-rpc'
import { formatPairingUri } from '@heliograph/shared/wire/pairing-uri'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import { afterEach, expect, test, vi } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import {
  ADDRESS,
  approve,
  createdWallet,
  type Headless,
  NOW,
  PASSWORD,
  reject,
  SECOND,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'
import { type MemoryRelay, memoryRelay } from './memory-relay.fixture.ts'
import { METADATA, PROPOSAL } from './session.fixture.ts'

const RELAY = 'ws://127.0.0.1:8080'
const MINUTE = 60_000
const METHODS = [
  'personal_sign',
  'eth_sendTransaction',
  'eth_signTransaction',
  'wallet_switchEthereumChain',
  'wallet_sendCalls',
  'wallet_watchAsset',
]
const EVENTS = ['accountsChanged', 'chainChanged']
const SIGN = { method: 'personal_sign', params: ['0x68656c6c6f', ADDRESS] }

/** The wallets of the current test. */
const wallets: Headless['wallet'][] = []

afterEach(async () => {
  vi.restoreAllMocks()
  // A locked wallet has no connections and no timers. A wallet that shares its store detects the lock in `resume`.
  for (const wallet of wallets.splice(0)) {
    await wallet.ui.lock(null)
    await wallet.resume()
  }
})

/** Polls until the result is truthy. */
const eventually = <T>(look: () => T | Promise<T>): Promise<NonNullable<T>> =>
  vi.waitFor(
    async () => {
      const found = await look()
      if (found === undefined || found === null || found === false) throw new Error('It did not happen')
      return found
    },
    { timeout: 20_000 },
  )

/** Returns a promise that the test can resolve. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

type Said = { id: number; method?: string; params?: unknown; result?: unknown; error?: { code: number } }

/** Creates a dApp at a relay, with its own keys and messages. */
const startPeer = (relay: MemoryRelay) => {
  const pairingKey = randomBytes(32)
  const privateKey = randomBytes(32)
  const keys = new Map<string, Uint8Array>([[topicOf(pairingKey), pairingKey]])
  const pairing = topicOf(pairingKey)
  let lastId = 1_700_000_000_000_000
  let session = ''

  const say = (topic: string, text: string) => relay.publish(topic, sealEnvelope(text, keys.get(topic) ?? pairingKey))
  const ask = (topic: string, method: string, params: unknown) => {
    say(topic, encodeRequest(`${++lastId}`, method, params))
    return lastId
  }
  const heard = (topic: string): Said[] =>
    relay.published
      .filter(message => message.topic === topic)
      .map(({ message }) => JSON.parse(openEnvelope(decodeEnvelope(message), keys.get(topic) ?? pairingKey)))
  const answerTo = (topic: string, id: number) =>
    eventually(() => heard(topic).find(said => said.id === id && !said.method))

  return {
    pairing,
    uri: (extras: Record<string, string> = {}) =>
      formatPairingUri({ topic: pairing, symKey: pairingKey, relay: { protocol: 'irn' }, extras }),
    propose: (more: object = {}) =>
      ask(pairing, 'wc_sessionPropose', {
        ...PROPOSAL,
        optionalNamespaces: { eip155: { chains: ['eip155:31337', 'eip155:1'], methods: METHODS, events: EVENTS } },
        proposer: { publicKey: bytesToHex(x25519PublicKey(privateKey)), metadata: METADATA },
        ...more,
      }),
    /** Reads the response to a proposal, and acknowledges the settlement. */
    settle: async (id: number) => {
      const { result } = await answerTo(pairing, id)
      const { responderPublicKey } = result as { responderPublicKey: string }
      const key = deriveSymKey(privateKey, hexToBytes(responderPublicKey))
      session = topicOf(key)
      keys.set(session, key)
      const settlement = await eventually(() => heard(session).find(({ method }) => method === 'wc_sessionSettle'))
      say(session, encodeResult(`${settlement.id}`, true))
      return session
    },
    request: (request: object, chainId = 'eip155:31337') => ask(session, 'wc_sessionRequest', { chainId, request }),
    ask: (method: string, params: unknown = {}) => ask(session, method, params),
    repeat: (id: number, request: object) =>
      say(session, encodeRequest(`${id}`, 'wc_sessionRequest', { chainId: 'eip155:31337', request })),
    refuse: (id: number, code: number) => say(session, encodeError(`${id}`, { code, message: 'no' })),
    answer: (id: number) => answerTo(session, id),
    rejection: (id: number) => answerTo(pairing, id),
    answers: (id: number) => heard(session).filter(said => said.id === id && !said.method),
    heard: (method: string) => heard(session).filter(said => said.method === method),
    session: () => session,
  }
}
type TestPeer = ReturnType<typeof startPeer>

const start = async (relay: MemoryRelay, options: Parameters<typeof startWallet>[0] = {}) => {
  const headless = await createdWallet({ person: undecided, sockets: relay.sockets, relays: [RELAY], ...options })
  wallets.push(headless.wallet)
  return headless
}

const restarted = ({ store }: Headless, relay: MemoryRelay, options: Parameters<typeof startWallet>[0] = {}) => {
  const headless = startWallet({ person: undecided, sockets: relay.sockets, relays: [RELAY], store, ...options })
  wallets.push(headless.wallet)
  return headless
}

const connect = async (
  { wallet }: Headless,
  peer: TestPeer,
  choice: { chainIds?: number[]; accounts?: string[] } = {},
) => {
  const id = peer.propose()
  await wallet.ui.pair({ uri: peer.uri() })
  const proposal = await eventually(async () => (await wallet.ui.getState(null)).remote.proposals[0])
  await wallet.ui.approveProposal({ id: proposal.id, accounts: [ADDRESS], ...choice })
  const topic = await peer.settle(id)
  await eventually(async () =>
    (await sessionsOf(wallet)).find(session => session.id === topic && session.isAcknowledged),
  )
  return topic
}
const sessionsOf = async (wallet: Headless['wallet']) => (await wallet.ui.getState(null)).remote.sessions
const requestsOf = async (wallet: Headless['wallet']) => (await wallet.ui.getState(null)).requests

test("an app's request is handled like a page's, with its session as the origin", async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  const topic = await connect(headless, peer)
  const id = peer.request(SIGN)
  const request = await eventually(async () => (await requestsOf(headless.wallet))[0])
  expect(request).toMatchObject({
    origin: expect.stringMatching(/^wc:[0-9a-f]{32}$/),
    method: 'personal_sign',
    account: { address: ADDRESS },
    network: { chainId: 31337 },
    peer: { name: 'Quill', url: 'https://quill.example', relay: RELAY, session: topic },
  })
  await headless.wallet.ui.decide({ id: request.id, approve: true, revision: 0 })
  expect(await peer.answer(id)).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{130}$/) })
  expect(await sessionsOf(headless.wallet)).toMatchObject([{ approved: 1, rejected: 0 }])
})

test('a request for a network, method or account outside the session is rejected without asking the user', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  await connect(headless, peer, { chainIds: [31337] })
  const shown = headless.shown.length
  const other = peer.request({ ...SIGN, params: ['0x00', SECOND] })
  expect(await peer.answer(other)).toMatchObject({ error: { code: 4100 } })
  expect(await peer.answer(peer.request(SIGN, 'eip155:1'))).toMatchObject({ error: { code: 3005 } })
  expect(await peer.answer(peer.request({ method: 'eth_sign', params: [] }))).toMatchObject({ error: { code: 3001 } })
  expect(await peer.answer(peer.request({ method: 'personal_sign', params: [] }))).toMatchObject({
    error: { code: -32602 },
  })
  expect(headless.shown.slice(shown)).not.toContain('approval')
})

const signInTo = (
  domain: string,
  uri = `https://${domain}`,
) => `${domain} wants you to sign in with your Ethereum account:
${ADDRESS}

Welcome

URI: ${uri}
Version: 1
Chain ID: 31337
Nonce: 12345678
Issued At: 2023-11-14T22:13:00Z`

test('an app that claims to be quill.example may sign in there, like its page, but not to another site', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  await connect(headless, peer)
  const shown = headless.shown.length
  for (const text of [
    signInTo('opensea.io'),
    `Hello!\n\n${signInTo('opensea.io')}`,
    signInTo('quill.example.opensea.io'),
    signInTo('quill.example@opensea.io', 'https://quill.example'),
  ])
    expect(await peer.answer(peer.request({ ...SIGN, params: [text, ADDRESS] })), text).toMatchObject({
      error: { code: -32602 },
    })
  expect(headless.shown.slice(shown)).not.toContain('approval')

  for (const [text, finding] of [
    [signInTo('quill.example'), 'caution signInUnproven'],
    [signInTo('app.quill.example'), 'caution signInUnproven'],
    [signInTo('quill.example', 'https://opensea.io'), 'danger signInElsewhere'],
  ] as const) {
    const id = peer.request({ ...SIGN, params: [text, ADDRESS] })
    const request = await eventually(async () => (await requestsOf(headless.wallet))[0])
    expect(request.findings.map(({ level, name }) => `${level} ${name}`)).toEqual([finding])
    await headless.wallet.ui.decide({ id: request.id, approve: true, revision: 0 })
    expect(await peer.answer(id)).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{130}$/) })
  }
})

test('a proposal opens the approval window, and closing the window rejects it with 5000', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  const id = peer.propose()
  await headless.wallet.ui.pair({ uri: peer.uri() })
  await eventually(() => headless.shown.includes('approval'))
  expect(headless.shown).toEqual(['approval'])
  await headless.wallet.ui.rejectAll(null)
  expect(await peer.rejection(id)).toMatchObject({ error: { code: 5000 } })
  await eventually(() => headless.shown.includes('hidden'))
  expect((await headless.wallet.ui.getState(null)).remote).toMatchObject({ pairings: [], proposals: [], sessions: [] })
})

test('a proposal is hidden while locked, and shown again after the unlock', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  peer.propose()
  await headless.wallet.ui.pair({ uri: peer.uri() })
  await eventually(() => headless.shown.includes('approval'))
  await headless.wallet.ui.lock(null)
  await eventually(() => headless.shown.includes('hidden'))
  await headless.wallet.ui.unlock({ password: PASSWORD })
  await eventually(() => headless.shown.length === 3)
  expect(headless.shown).toEqual(['approval', 'hidden', 'approval'])
})

test('a rejection by the user is answered with 4001', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay, { person: reject }), startPeer(relay)]
  await connect(headless, peer)
  expect(await peer.answer(peer.request(SIGN))).toMatchObject({ error: { code: 4001 } })
})

test('a transaction is sent once, on the network that the peer named', async () => {
  const relay = memoryRelay()
  const { chain, sent } = startNode()
  const [headless, peer] = [await start(relay, { person: approve, chain }), startPeer(relay)]
  await connect(headless, peer)
  const request = { method: 'eth_sendTransaction', params: [{ from: ADDRESS, to: SECOND, value: '0x1' }] }
  const id = peer.request(request)
  expect(await peer.answer(id)).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  peer.repeat(id, request)
  await eventually(() => relay.unacknowledged(peer.session()) === 0)
  expect(sent).toHaveLength(1)
})

test('while the wallet is locked, messages stay at the relay', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  await connect(headless, peer)
  await eventually(() => relay.unacknowledged(peer.session()) === 0)
  await headless.wallet.ui.lock(null)
  expect(relay.open()).toBe(0)
  const id = peer.request(SIGN)
  expect((await headless.wallet.ui.getState(null)).remote).toEqual({
    relays: [],
    pairings: [],
    refused: [],
    proposals: [],
    sessions: [],
  })
  expect(relay.unacknowledged(peer.session())).toBe(1)
  await headless.wallet.ui.unlock({ password: PASSWORD })
  const request = await eventually(async () => (await requestsOf(headless.wallet))[0])
  await headless.wallet.ui.decide({ id: request.id, approve: true, revision: 0 })
  expect(await peer.answer(id)).toHaveProperty('result')
  expect(relay.unacknowledged(peer.session())).toBe(0)
})

test('a restarted worker continues an open request without asking twice', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  await connect(headless, peer)
  const id = peer.request(SIGN)
  await eventually(async () => (await requestsOf(headless.wallet))[0])
  const next = restarted(headless, relay)
  await next.wallet.resume()
  await eventually(async () => (await requestsOf(next.wallet))[0])
  const requests = await requestsOf(next.wallet)
  expect(requests).toHaveLength(1)
  await next.wallet.ui.decide({ id: requests[0]?.id ?? '', approve: true, revision: 0 })
  await peer.answer(id)
  const answers = relay.published.filter(({ tag }) => tag === 1109)
  peer.repeat(id, SIGN)
  await eventually(() => relay.unacknowledged(peer.session()) === 0)
  expect([await requestsOf(next.wallet), relay.published.filter(({ tag }) => tag === 1109)]).toEqual([[], answers])
})

test('a response stays in the outbox until the relay accepts it', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  await connect(headless, peer)
  const id = peer.request(SIGN)
  const request = await eventually(async () => (await requestsOf(headless.wallet))[0])
  relay.goAway()
  await headless.wallet.ui.decide({ id: request.id, approve: true, revision: 0 })
  await eventually(async () => (await sessionsOf(headless.wallet))[0]?.approved === 1)
  const { remote } = await headless.wallet.ui.getState(null)
  expect(remote.relays).toMatchObject([
    { url: RELAY, phase: expect.stringMatching(/waiting|connecting/), error: { reason: expect.any(String) } },
  ])
  relay.comeBack()
  await headless.wallet.ui.retryRelays(null)
  expect(await peer.answer(id)).toHaveProperty('result')
})

test("another wallet with the same phrase sees none of this wallet's requests", async () => {
  const relay = memoryRelay()
  const [one, other] = [await start(relay), await start(relay)]
  const [first, second] = [startPeer(relay), startPeer(relay)]
  await connect(one, first)
  await connect(other, second)
  first.request(SIGN)
  await eventually(async () => (await requestsOf(one.wallet))[0])
  await eventually(() => relay.unacknowledged(first.session()) === 0)
  expect(await requestsOf(other.wallet)).toEqual([])
  expect(await sessionsOf(other.wallet)).toMatchObject([{ id: second.session() }])
})

test('the state of all sessions is one value on disk, which only the unlocked wallet can read', async () => {
  const relay = memoryRelay()
  const local = new Map<string, unknown>()
  const { chain } = startNode()
  const headless = await start(relay, { person: approve, chain })
  const peer = startPeer(relay)
  const set = headless.store.local.set
  vi.spyOn(headless.store.local, 'set').mockImplementation((name, value) => {
    local.set(name, value)
    return set(name, value)
  })
  const topic = await connect(headless, peer)
  const params = [{ from: ADDRESS, to: SECOND, value: '0x1' }]
  await peer.answer(peer.request({ method: 'eth_sendTransaction', params }))
  const disk = JSON.stringify([...local])
  for (const word of [topic, peer.pairing, 'Quill', 'quill.example', '127.0.0.1:8080']) expect(disk).not.toContain(word)
  const copy = memoryStore()
  for (const name of ['vault', 'sessions']) await copy.set(name, await headless.store.local.get(name))
  const { wallet } = restarted({ ...headless, store: { local: copy, session: memoryStore() } }, relay)
  expect(await sessionsOf(wallet)).toEqual([])
  await wallet.ui.unlock({ password: PASSWORD })
  await eventually(async () => (await sessionsOf(wallet)).some(({ id }) => id === topic))
})

test('the wallet connects only to relays in its list', async () => {
  const relay = memoryRelay()
  const { wallet } = await start(relay)
  const peer = startPeer(relay)
  const theirs = 'wss://theirs.example'
  const uri = peer.uri({ 'relay-url': theirs })
  await wallet.ui.readPairing({ uri })
  await expect(wallet.ui.pair({ uri, relay: theirs })).rejects.toMatchObject({ code: -32602 })
  await wallet.ui.pair({ uri })
  await expect(wallet.ui.movePairing({ id: peer.pairing, relay: theirs })).rejects.toMatchObject({ code: -32602 })
  await eventually(() => relay.subscribed().includes(peer.pairing))
  expect(relay.asked.map(asked => asked.split(' ')[0])).toEqual([RELAY])
})

test('a new wallet has no relay, and connects to none', async () => {
  const relay = memoryRelay()
  const { wallet } = await start(relay, { relays: [] })
  expect((await wallet.ui.getState(null)).remote.relays).toEqual([])
  expect(relay.asked).toEqual([])
})

test('a relay cannot read the messages', async () => {
  const relay = memoryRelay()
  const headless = await start(relay, { person: approve })
  const peer = startPeer(relay)
  await connect(headless, peer)
  const answer = await peer.answer(peer.request(SIGN))
  const words = ['jsonrpc', 'wc_session', 'eip155', ADDRESS, ADDRESS.slice(2), `${answer.result}`]
  const encodings = (word: string) => [word, Buffer.from(word).toString('hex'), Buffer.from(word).toString('base64')]
  const seen = [
    ...relay.asked,
    ...relay.published.map(({ message }) => Buffer.from(message, 'base64').toString('latin1')),
  ]
  expect(relay.published.length).toBeGreaterThan(2)
  for (const word of words.flatMap(encodings)) expect(`${seen}`.toLowerCase()).not.toContain(word.toLowerCase())
})

test("the wallet connects to a link's relay only after the user adds it", async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const peer = startPeer(relay)
  const { ui } = headless.wallet
  const uri = peer.uri({ 'relay-url': 'wss://theirs.example/' })
  expect(await ui.readPairing({ uri })).toEqual({ expiresAt: null, relay: 'wss://theirs.example', isRelayKnown: false })
  await expect(ui.pair({ uri, relay: 'wss://theirs.example' })).rejects.toMatchObject({ code: -32602 })
  expect(relay.asked).toEqual([])
  const { url } = await ui.addRelay({ url: 'wss://theirs.example' })
  expect(await ui.readPairing({ uri })).toMatchObject({ isRelayKnown: true })
  await ui.pair({ uri, relay: url })
  await eventually(() => relay.subscribed().includes(peer.pairing))
  expect(relay.asked.map(asked => asked.split('?')[0])).toEqual([
    'test wss://theirs.example wss://theirs.example/',
    'wss://theirs.example wss://theirs.example/',
  ])
})

test('a relay is added after a connection test, and can be removed while unused', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const { ui } = headless.wallet
  await expect(ui.addRelay({ url: 'relay.example' })).rejects.toMatchObject({ code: -32602 })
  relay.goAway()
  await expect(ui.addRelay({ url: 'wss://relay.example' })).rejects.toMatchObject({ code: -32002 })
  relay.comeBack()
  await ui.addRelay({ url: 'wss://relay.example' })
  await ui.setDefaultRelay({ url: 'wss://relay.example' })
  const urls = async () => (await ui.getState(null)).remote.relays.map(({ url }) => url)
  expect(await urls()).toEqual(['wss://relay.example', RELAY])
  await ui.removeRelay({ url: RELAY })
  expect(await urls()).toEqual(['wss://relay.example'])
  await connect(headless, startPeer(relay))
  await expect(ui.removeRelay({ url: 'wss://relay.example' })).rejects.toMatchObject({ code: -32602 })
})

test('pairing the same link again, as after the worker stopped, changes nothing', async () => {
  const relay = memoryRelay()
  const { wallet } = await start(relay)
  const peer = startPeer(relay)
  const paired = await wallet.ui.pair({ uri: peer.uri() })
  expect(await wallet.ui.readPairing({ uri: peer.uri() })).toMatchObject({ relay: null })
  expect(await wallet.ui.pair({ uri: peer.uri() })).toEqual(paired)
  expect((await wallet.ui.getState(null)).remote.pairings).toMatchObject([{ id: peer.pairing, relay: RELAY }])
  const old = startPeer(relay).uri({ expiryTimestamp: '1' })
  await expect(wallet.ui.pair({ uri: old })).rejects.toMatchObject({ code: -32602 })
  await expect(wallet.ui.pair({ uri: 'wc:none' })).rejects.toMatchObject({ reason: 'linkForm' })
  await wallet.ui.forgetPairing({ id: peer.pairing })
  expect((await wallet.ui.getState(null)).remote.pairings).toEqual([])
})

test('a pairing ends with its first session, and the app cannot open the window until it is paired again', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const peer = startPeer(relay)
  const topic = await connect(headless, peer)
  await eventually(() => `${relay.subscribed()}` === topic)
  await headless.wallet.ui.disconnectSession({ id: topic })
  await eventually(() => relay.open() === 0)
  const shown = headless.shown.length
  peer.propose()
  // Wakes the wallet by another event, because the app's proposal stays at the relay.
  await headless.wallet.tend()
  await connect(headless, startPeer(relay))
  expect(relay.unacknowledged(peer.pairing)).toBe(1)
  expect(headless.shown.slice(shown).filter(name => name === 'approval')).toHaveLength(1)
  await expect(headless.wallet.ui.pair({ uri: peer.uri() })).rejects.toMatchObject({ code: -32602 })
})

test('a rejected link stays used after a worker restart and a browser restart', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const peer = startPeer(relay)
  const id = peer.propose()
  await headless.wallet.ui.pair({ uri: peer.uri() })
  const proposal = await eventually(async () => (await headless.wallet.ui.getState(null)).remote.proposals[0])
  await headless.wallet.ui.rejectProposal({ id: proposal.id })
  expect(await peer.rejection(id)).toMatchObject({ error: { code: 5000 } })
  await eventually(() => relay.open() === 0)
  const { local } = headless.store
  for (const store of [headless.store, { local, session: memoryStore() }]) {
    const { wallet } = restarted({ ...headless, store }, relay)
    await wallet.ui.unlock({ password: PASSWORD })
    await expect(wallet.ui.readPairing({ uri: peer.uri() })).rejects.toMatchObject({ code: -32602 })
    await expect(wallet.ui.pair({ uri: peer.uri() })).rejects.toMatchObject({ code: -32602 })
  }
})

test('a link whose proposal was refused is removed from the list, and its screen shows the reason', async () => {
  const relay = memoryRelay()
  const { wallet } = await start(relay)
  const peer = startPeer(relay)
  const id = peer.propose({ optionalNamespaces: { eip155: { chains: ['eip155:5'], methods: [], events: [] } } })
  await wallet.ui.pair({ uri: peer.uri() })
  expect(await peer.rejection(id)).toMatchObject({ error: { code: 5100 } })
  expect((await wallet.ui.getState(null)).remote).toMatchObject({
    pairings: [],
    refused: [{ id: peer.pairing, failure: { reason: 'unsupportedChains', values: { names: expect.any(String) } } }],
  })
  await eventually(() => relay.open() === 0)
})

test('a worker that starts without topics closes the socket that a stopped worker left open', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const closeAll = vi.spyOn(relay.sockets, 'closeAll')
  const { wallet } = restarted(headless, relay)
  await wallet.resume()
  expect(closeAll).toHaveBeenCalledOnce()
  await connect({ ...headless, wallet }, startPeer(relay))
  expect(relay.open()).toBe(1)
})

test('approving a proposal again, as after the worker stopped, returns the same session', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const peer = startPeer(relay)
  peer.propose()
  await headless.wallet.ui.pair({ uri: peer.uri() })
  const { id } = await eventually(async () => (await headless.wallet.ui.getState(null)).remote.proposals[0])
  const made = await headless.wallet.ui.approveProposal({ id, accounts: [ADDRESS] })
  const { wallet } = restarted(headless, relay)
  expect(await wallet.ui.approveProposal({ id, accounts: [ADDRESS] })).toEqual(made)
  expect(await wallet.ui.rejectProposal({ id })).toBeNull()
  expect(await sessionsOf(wallet)).toMatchObject([{ id: made.id }])
})

test('a waiting link can be moved to another relay until its proposal arrives', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const { ui } = headless.wallet
  const peer = startPeer(relay)
  await ui.pair({ uri: peer.uri() })
  await expect(ui.movePairing({ id: peer.pairing, relay: 'wss://other.example' })).rejects.toMatchObject({
    code: -32602,
  })
  const { url } = await ui.addRelay({ url: 'wss://other.example' })
  await ui.movePairing({ id: peer.pairing, relay: url })
  expect((await ui.getState(null)).remote).toMatchObject({
    relays: [{ phase: 'idle' }, { phase: expect.stringMatching(/connect/) }],
    pairings: [{ id: peer.pairing, relay: url }],
  })
  peer.propose()
  const proposal = await eventually(async () => (await ui.getState(null)).remote.proposals[0])
  expect(proposal).toMatchObject({ pairing: peer.pairing, relay: url })
  await ui.movePairing({ id: peer.pairing, relay: RELAY })
  expect((await ui.getState(null)).remote).toMatchObject({
    relays: [{ phase: 'idle' }, {}],
    pairings: [{ relay: url }],
  })
})

test('an undecided proposal is answered with 8000 when it expires', async () => {
  const relay = memoryRelay()
  let time = NOW
  const { wallet, shown } = await start(relay, { now: () => time })
  const peer = startPeer(relay)
  const id = peer.propose({ expiryTimestamp: time / 1000 + 1 })
  await wallet.ui.pair({ uri: peer.uri() })
  await eventually(() => shown.includes('approval'))
  time += 1_000
  expect(await peer.rejection(id)).toMatchObject({ error: { code: 8000 } })
  await eventually(async () => (await wallet.ui.getState(null)).remote.pairings.length === 0)
  expect(shown).toEqual(['approval'])
})

test('a request that expires while shown is answered with 8000 within two seconds, and shown as expired', async () => {
  const relay = memoryRelay()
  let time = NOW
  const headless = await start(relay, { now: () => time })
  const peer = startPeer(relay)
  await connect(headless, peer)
  await eventually(() => headless.shown.at(-1) === 'hidden')
  const id = peer.request({ ...SIGN, expiryTimestamp: time / 1000 + 2 })
  await eventually(async () => (await requestsOf(headless.wallet))[0])
  time += 1_500
  // 500 ms remain until the expiry, when a timer sends the error.
  expect(await headless.wallet.tend()).toBe(500)
  time += 500
  expect(await peer.answer(id)).toMatchObject({ error: { code: 8000 } })
  await eventually(async () => (await requestsOf(headless.wallet)).length === 0)
  // The window stays open and shows that the request has expired.
  expect(headless.shown.at(-1)).toBe('approval')
})

test('a request that expires while the wallet updates its sessions is answered without waiting for an alarm', async () => {
  const relay = memoryRelay()
  let time = NOW
  let expiresAt = time
  /** How often the clock can still be read before the request expires. */
  let reads = Number.POSITIVE_INFINITY
  const now = () => {
    if (reads === 0) time = expiresAt
    reads -= 1
    return time
  }
  const headless = await start(relay, { now })
  const peer = startPeer(relay)
  await connect(headless, peer)
  for (let readsBefore = 0; readsBefore < 8; readsBefore++) {
    expiresAt = time + 1_000
    const id = peer.request({ ...SIGN, expiryTimestamp: expiresAt / 1_000 })
    await eventually(async () => (await requestsOf(headless.wallet))[0])
    await eventually(() => relay.unacknowledged(peer.session()) === 0)
    time += 950
    reads = readsBefore
    await headless.wallet.resume()
    time = expiresAt
    expect(await peer.answer(id)).toMatchObject({ error: { code: 8000 } })
    reads = Number.POSITIVE_INFINITY
  }
})

test('a request with the usual 15 minutes is answered on time, even if nothing else happens', async () => {
  const relay = memoryRelay()
  let time = 1_700_000_000_000
  const headless = await start(relay, { now: () => time })
  const peer = startPeer(relay)
  await connect(headless, peer)
  const id = peer.request(SIGN)
  await eventually(async () => (await requestsOf(headless.wallet))[0])
  // A pending request limits the pause to 30 s. A timer, or the alarm for a stopped worker, answers at the expiry.
  time += 14 * MINUTE
  expect(await headless.wallet.tend()).toBe(30_000)
  time += MINUTE - 500
  expect(await headless.wallet.tend()).toBe(500)
  time += 500
  expect(await peer.answer(id)).toMatchObject({ error: { code: 8000 } })
})

test('the wallet connects to a relay only after a pairing through it', async () => {
  const relay = memoryRelay()
  const { wallet } = await start(relay)
  await wallet.tend()
  await wallet.ui.lock(null)
  await wallet.ui.unlock({ password: PASSWORD })
  wallet.wake()
  expect(relay.asked).toEqual([])
  await wallet.ui.pair({ uri: startPeer(relay).uri() })
  expect(relay.asked).toHaveLength(1)
})

test('the connection to a relay closes with the last session that uses it', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const [one, other] = [startPeer(relay), startPeer(relay)]
  const first = await connect(headless, one)
  await connect(headless, other)
  await headless.wallet.ui.disconnectSession({ id: first })
  await eventually(() => one.heard('wc_sessionDelete')[0])
  await eventually(() => `${relay.subscribed()}` === other.session())
  other.ask('wc_sessionDelete', { code: 6000, message: 'bye' })
  await eventually(() => relay.open() === 0)
  expect(relay.asked).toHaveLength(1)
})

const OTHER_RELAY = 'wss://other.example'

/** Creates two relays, each with its own URL. */
const twoRelays = () => {
  const [first, second] = [memoryRelay(), memoryRelay()]
  const sockets: MemoryRelay['sockets'] = {
    open: (name, url, listener) => (url.startsWith(OTHER_RELAY) ? second : first).sockets.open(name, url, listener),
    closeAll: () => {
      first.sockets.closeAll()
      second.sockets.closeAll()
    },
  }
  return { first, second, sockets, relays: [RELAY, OTHER_RELAY] }
}

test('the wallet uses a different key for each relay, so that two relays cannot link it', async () => {
  const { first, second, sockets, relays } = twoRelays()
  const { wallet } = await start(first, { sockets, relays })
  await wallet.ui.pair({ uri: startPeer(first).uri() })
  await wallet.ui.pair({ uri: startPeer(second).uri(), relay: OTHER_RELAY })
  await wallet.ui.lock(null)
  await wallet.ui.unlock({ password: PASSWORD })
  const issuers = ({ asked }: MemoryRelay) =>
    asked.map(socket => {
      const [, claims = ''] = new URL(socket.split(' ').at(-1) ?? '').searchParams.get('auth')?.split('.') ?? []
      return JSON.parse(Buffer.from(claims, 'base64url').toString()).iss as string
    })
  const [one, again, other] = [...issuers(first), ...issuers(second)]
  expect(one).toMatch(/^did:key:z/)
  expect(again).toBe(one)
  expect(other).toMatch(/^did:key:z/)
  expect(other).not.toBe(one)
})

test('while a relay is unreachable, sessions and pairings through other relays work', async () => {
  const { first, second, sockets, relays } = twoRelays()
  const headless = await start(first, { sockets, relays, person: approve })
  const { ui } = headless.wallet
  const lost = startPeer(first)
  await connect(headless, lost)
  first.goAway()
  const other = startPeer(second)
  const proposed = other.propose()
  await ui.pair({ uri: other.uri(), relay: OTHER_RELAY })
  const { id } = await eventually(async () => (await ui.getState(null)).remote.proposals[0])
  await ui.approveProposal({ id, accounts: [ADDRESS] })
  await other.settle(proposed)
  expect(await other.answer(other.request(SIGN))).toHaveProperty('result')
  expect((await ui.getState(null)).remote.relays).toMatchObject([
    { url: RELAY, phase: expect.stringMatching(/waiting|connecting/), error: { reason: expect.any(String) } },
    { url: OTHER_RELAY, phase: 'connected', error: null },
  ])
  const waiting = lost.request(SIGN)
  first.comeBack()
  await ui.retryRelays(null)
  expect(await lost.answer(waiting)).toHaveProperty('result')
})

test('a proposal that requires something unsupported is refused with 5100 to 5104 and never shown', async () => {
  const relay = memoryRelay()
  const { wallet, shown } = await start(relay)
  const eip155 = { chains: ['eip155:1'], methods: ['personal_sign'], events: EVENTS }
  for (const [requiredNamespaces, code] of [
    [{ eip155: { ...eip155, chains: ['eip155:5'] } }, 5100],
    [{ eip155: { ...eip155, methods: ['eth_decrypt'] } }, 5101],
    [{ eip155: { ...eip155, events: ['blockMined'] } }, 5102],
    [{ solana: { ...eip155, chains: ['solana:1'] } }, 5104],
  ] as const) {
    const peer = startPeer(relay)
    const id = peer.propose({ requiredNamespaces })
    await wallet.ui.pair({ uri: peer.uri() })
    expect(await peer.rejection(id)).toMatchObject({ error: { code } })
  }
  expect((await wallet.ui.getState(null)).remote).toMatchObject({ proposals: [], pairings: [] })
  expect(shown).toEqual([])
})

test('an app is muted after several rejections, and shown as muted', async () => {
  const relay = memoryRelay()
  const [headless, peer] = [await start(relay), startPeer(relay)]
  await connect(headless, peer)
  const { ui } = headless.wallet
  for (let count = 0; count < 3; count++) {
    const id = peer.request(SIGN)
    const request = await eventually(async () => (await requestsOf(headless.wallet))[0])
    await ui.decide({ id: request.id, approve: false })
    expect(await peer.answer(id)).toMatchObject({ error: { code: 4001 } })
  }
  expect(await peer.answer(peer.request(SIGN))).toMatchObject({ error: { code: -32005 } })
  const { muted, remote } = await ui.getState(null)
  expect(muted).toMatchObject([{ origin: remote.sessions[0]?.origin, asked: true, peer: 'Quill' }])
  await ui.allowRequests({ origin: muted[0]?.origin ?? '' })
  peer.request(SIGN)
  await eventually(async () => (await requestsOf(headless.wallet))[0])
})

test('changed accounts are sent as an update with accountsChanged, and a session without accounts ends', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const { wallet } = headless
  await wallet.ui.addAccount({ name: 'Second' })
  await wallet.ui.selectAccount({ address: ADDRESS })
  const [both, one] = [startPeer(relay), startPeer(relay)]
  await connect(headless, both, { accounts: [ADDRESS, SECOND], chainIds: [31337] })
  await connect(headless, one, { chainIds: [31337] })
  await wallet.ui.hideAccount({ address: ADDRESS })
  await eventually(() => both.heard('wc_sessionUpdate')[0])
  await eventually(() => one.heard('wc_sessionDelete')[0])
  expect(await sessionsOf(wallet)).toMatchObject([{ id: both.session(), accounts: [SECOND] }])
  expect(both.heard('wc_sessionEvent')).toMatchObject([
    { params: { event: { name: 'accountsChanged', data: [`eip155:31337:${SECOND}`] } } },
  ])
})

test("a session starts on the wallet's network", async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  await connect(headless, startPeer(relay), { chainIds: [1, 31337] })
  expect(await sessionsOf(headless.wallet)).toMatchObject([{ chainIds: [31337, 1], chainId: 31337 }])
})

test('the app receives a changed network as chainChanged', async () => {
  const relay = memoryRelay()
  const headless = await start(relay, { person: approve })
  const peer = startPeer(relay)
  await connect(headless, peer, { chainIds: [31337] })
  const id = peer.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
  expect(await peer.answer(id)).toMatchObject({ result: null })
  await eventually(() => peer.heard('wc_sessionEvent')[0])
  expect(await sessionsOf(headless.wallet)).toMatchObject([{ chainIds: [31337, 1], chainId: 1 }])
  expect(peer.heard('wc_sessionUpdate')).toHaveLength(1)
  await headless.wallet.ui.selectNetwork({ chainId: 1 })
  await headless.wallet.ui.selectNetwork({ chainId: 31337 })
  await eventually(() => peer.heard('wc_sessionEvent').length === 2)
  expect(peer.heard('wc_sessionEvent')).toMatchObject([
    { params: { event: { name: 'chainChanged', data: 1 } } },
    { params: { event: { name: 'chainChanged', data: 31337 } } },
  ])
})

test('an expired request is answered with 8000 and withdrawn', async () => {
  const relay = memoryRelay()
  let time = 1_700_000_000_000
  const headless = await start(relay, { now: () => time })
  const peer = startPeer(relay)
  await connect(headless, peer)
  const id = peer.request(SIGN)
  await eventually(async () => (await requestsOf(headless.wallet))[0])
  time += 14 * MINUTE
  await headless.wallet.tend()
  expect(await requestsOf(headless.wallet)).toHaveLength(1)
  time += 2 * MINUTE
  await headless.wallet.tend()
  expect(await peer.answer(id)).toMatchObject({ error: { code: 8000 } })
  await eventually(async () => (await requestsOf(headless.wallet)).length === 0)
})

test('a request that was approved in time is answered even after it expires', async () => {
  const relay = memoryRelay()
  let time = 1_700_000_000_000
  const sending = gate()
  const isSent = gate()
  const { chain } = startNode()
  const slow: typeof chain = async (network, method, params) => {
    if (method !== 'eth_sendRawTransaction') return chain(network, method, params)
    sending.open()
    await isSent.opened
    return chain(network, method, params)
  }
  const headless = await start(relay, { now: () => time, chain: slow })
  const { ui } = headless.wallet
  const peer = startPeer(relay)
  await connect(headless, peer)
  const inTime = peer.request({ method: 'eth_sendTransaction', params: [{ from: ADDRESS, to: SECOND, value: '0x1' }] })
  const first = await eventually(async () => (await requestsOf(headless.wallet))[0])
  const decided = ui.decide({ id: first.id, approve: true, revision: 0 })
  await sending.opened
  peer.request(SIGN)
  const late = await eventually(async () => (await requestsOf(headless.wallet))[0])
  time += 16 * MINUTE
  await expect(ui.decide({ id: late.id, approve: true, revision: 0 })).rejects.toMatchObject({ code: -32602 })
  await headless.wallet.tend()
  isSent.open()
  await decided
  expect(await peer.answer(inTime)).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
})

const SEND = { method: 'eth_sendTransaction', params: [{ from: ADDRESS, to: SECOND, value: '0x1' }] }
const CALLS = {
  method: 'wallet_sendCalls',
  params: [
    { version: '2.0.0', id: 'batch', from: ADDRESS, chainId: '0x7a69', atomicRequired: false, calls: [{ to: SECOND }] },
  ],
}
test.each([
  ['sent transaction', SEND, expect.stringMatching(/^0x[0-9a-f]{64}$/), 1],
  ['signed transaction', { ...SEND, method: 'eth_signTransaction' }, expect.stringMatching(/^0x02/), 0],
  ['sent batch of calls', CALLS, { id: 'batch' }, 1],
])('if the browser closes, a %s is answered again without a new approval', async (_, request, result, broadcasts) => {
  const relay = memoryRelay()
  const { chain, sent } = startNode()
  const headless = await start(relay, { chain })
  const peer = startPeer(relay)
  await connect(headless, peer)
  const id = peer.request(request)
  const { id: key } = await eventually(async () => (await requestsOf(headless.wallet))[0])
  const { local } = headless.store
  // Reads the state that a worker leaves behind if it stops before the response.
  const names = ['sessions', 'revisions']
  const pending = await Promise.all(names.map(local.get))
  await headless.wallet.ui.decide({ id: key, approve: true, revision: 0 })
  expect(await peer.answer(id)).toMatchObject({ result })
  const answers = () => relay.published.filter(({ tag }) => tag === 1109)
  const before = answers().length
  await Promise.all(names.map((name, at) => local.set(name, pending[at])))
  relay.goAway()
  relay.comeBack()
  const next = restarted({ ...headless, store: { local, session: memoryStore() } }, relay, { chain })
  await next.wallet.ui.unlock({ password: PASSWORD })
  await eventually(() => answers().length > before)
  const [first, again] = peer.answers(id)
  expect(first).toMatchObject({ result })
  expect(again).toEqual(first)
  expect([sent.length, next.shown]).toEqual([broadcasts, []])
})

test("calls and tokens for another chain than the request's are rejected", async () => {
  const relay = memoryRelay()
  const headless = await start(relay, { chain: startNode().chain })
  const peer = startPeer(relay)
  await connect(headless, peer)
  const shown = headless.shown.length
  expect(await peer.answer(peer.request(CALLS, 'eip155:1'))).toMatchObject({ error: { code: 5710 } })
  const params = { type: 'ERC20', options: { address: SECOND, symbol: 'T', decimals: 2, chainId: 31337 } }
  const watch = { method: 'wallet_watchAsset', params }
  expect(await peer.answer(peer.request(watch, 'eip155:1'))).toMatchObject({ error: { code: -32602 } })
  expect(headless.shown.slice(shown)).not.toContain('approval')
})

test('onAwake is called again with the first session after a lock', async () => {
  const relay = memoryRelay()
  const onWork = vi.fn()
  const headless = await start(relay, { onWork })
  await connect(headless, startPeer(relay))
  await headless.wallet.ui.lock(null)
  await headless.wallet.tend()
  onWork.mockClear()
  await headless.wallet.ui.unlock({ password: PASSWORD })
  await eventually(() => onWork.mock.calls.length > 0)
})

test("a session's open requests are withdrawn when it ends", async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const peer = startPeer(relay)
  const topic = await connect(headless, peer)
  peer.request(SIGN)
  await eventually(async () => (await requestsOf(headless.wallet))[0])
  await headless.wallet.ui.disconnectSession({ id: topic })
  await eventually(async () => (await requestsOf(headless.wallet)).length === 0)
  expect(await sessionsOf(headless.wallet)).toEqual([])
  await eventually(() => peer.heard('wc_sessionDelete')[0])
  await eventually(() => !relay.subscribed().includes(topic))
})

test('while there is a session, an alarm restarts a stopped background within two minutes', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  expect(await headless.wallet.tend()).toBeNull()
  await connect(headless, startPeer(relay))
  expect(await headless.wallet.tend()).toBe(120_000)
})

test('the wallet offers the networks, methods and events that it has and the app asks for', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const peer = startPeer(relay)
  const wanted = {
    chains: ['eip155:1', 'eip155:99999'],
    methods: ['personal_sign', 'eth_decrypt'],
    events: ['chainChanged', 'blockMined'],
  }
  const id = peer.propose({ optionalNamespaces: { eip155: wanted, solana: { ...wanted, chains: ['solana:1'] } } })
  const { ui } = headless.wallet
  await ui.pair({ uri: peer.uri() })
  const proposal = await eventually(async () => (await ui.getState(null)).remote.proposals[0])
  expect(proposal).toMatchObject({ chainIds: [1], methods: ['personal_sign'] })
  await ui.approveProposal({ id: proposal.id, accounts: [ADDRESS] })
  await peer.settle(id)
  const [settlement] = peer.heard('wc_sessionSettle')
  expect(settlement?.params).toMatchObject({
    namespaces: {
      eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] },
    },
  })
})

test('the user chooses among the offered accounts, networks and methods, and can change them later', async () => {
  const relay = memoryRelay()
  const headless = await start(relay)
  const { ui } = headless.wallet
  const peer = startPeer(relay)
  const id = peer.propose()
  await ui.pair({ uri: peer.uri() })
  const proposal = await eventually(async () => (await ui.getState(null)).remote.proposals[0])
  expect(proposal).toMatchObject({ chainIds: [31337, 1], methods: METHODS, peer: { name: 'Quill' }, relay: RELAY })
  const approveWith = (choice: object) => ui.approveProposal({ id: proposal.id, accounts: [ADDRESS], ...choice })
  await expect(approveWith({ chainIds: [8217] })).rejects.toMatchObject({ code: -32602 })
  await expect(approveWith({ methods: ['eth_sign'] })).rejects.toMatchObject({ code: -32602 })
  await expect(approveWith({ accounts: [SECOND] })).rejects.toMatchObject({ code: -32602 })
  await expect(approveWith({ accounts: [] })).rejects.toMatchObject({ code: 5103 })
  await approveWith({ methods: ['personal_sign'], chainIds: [1] })
  const topic = await peer.settle(id)
  await ui.updateSession({ id: topic, chainIds: [1, 31337], methods: ['personal_sign', 'eth_sendTransaction'] })
  expect(await sessionsOf(headless.wallet)).toMatchObject([
    { chainIds: [1, 31337], methods: ['personal_sign', 'eth_sendTransaction'] },
  ])
  await ui.disconnectAllSessions(null)
  expect(await sessionsOf(headless.wallet)).toEqual([])
})

test('a request encrypts the sessions twice: when it arrives, and with its response', async () => {
  const relay = memoryRelay()
  const headless = await start(relay, { person: approve })
  const peer = startPeer(relay)
  await connect(headless, peer)
  await eventually(() => relay.unacknowledged(peer.session()) === 0)
  const written: string[] = []
  for (const area of ['local', 'session'] as const) {
    const { set } = headless.store[area]
    vi.spyOn(headless.store[area], 'set').mockImplementation((name, value) => {
      written.push(name)
      return set(name, value)
    })
  }
  const id = peer.request(SIGN)
  await peer.answer(id)
  await eventually(() => written.includes('published'))
  expect(written.filter(name => name === 'sessions')).toHaveLength(2)
})

test('a response is published only once, even if the worker stops', async () => {
  const relay = memoryRelay()
  const headless = await start(relay, { person: approve })
  const peer = startPeer(relay)
  await connect(headless, peer)
  const id = peer.request(SIGN)
  await peer.answer(id)
  await eventually(async () => ((await headless.store.session.get('published')) as number[]).length > 0)
  const responses = () => relay.published.filter(({ tag }) => tag === 1109)
  const before = responses()
  const next = restarted(headless, relay)
  await next.wallet.resume()
  await eventually(async () => (await next.wallet.ui.getState(null)).remote.relays[0]?.phase === 'connected')
  peer.ask('wc_sessionPing')
  await eventually(() => relay.published.some(({ tag }) => tag === 1115))
  expect(responses()).toEqual(before)
  expect(await headless.store.session.get('published')).toEqual([expect.any(Number)])
})
