/** Remote sessions in a real browser, with unmodified clients in separate processes, over the relay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECOND } from '../../extension/src/wallet/wallet.fixture.ts'
import type { Call, Dapp } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { startSite } from '../dapp/server.ts'
import {
  asked,
  askedTooMuch,
  expectMailSigned,
  expectSent,
  expectTextSigned,
  LOCAL,
  send,
  signMail,
  signText,
} from '../session/dapp-requests.ts'
import { approveLink, decideNext, openHeadless } from '../session/headless.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import {
  ADDRESS,
  decide,
  importWallet,
  type Owner,
  PASSWORD,
  press as pressIn,
  startOwner,
  useLocalChain,
} from './person.ts'
import { callWallet } from './wallet-page.ts'

/** `test/session/clients.test.ts` has the other clients, with the same wallet in Node. */
const KIND = 'sign-client 2.21'

let folder: string
let anvil: Anvil
let relay: Relay
let person: Owner
let home: Page
let dapp: Peer<Dapp>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-sessions-'))
  const openWallet = async () => {
    person = await startOwner()
    await importWallet(person)
    home = await person.open('popup.html')
  }
  relay = await openRelay(join(folder, 'relay'))
  const { port } = relay
  const openDapp = async () => {
    dapp = await openPeer(KIND, { port, folder: join(folder, 'dapp'), env: { IS_VITEST: 'true' } })
  }
  await Promise.all([openWallet(), openDapp()])
  anvil = await startAnvil()
  await useLocalChain(home, anvil.url)
  await callWallet(home, 'addAccount', { name: 'Second' })
  await callWallet(home, 'selectAccount', { address: ADDRESS })
})
afterAll(async () => {
  await person?.leave()
  await dapp?.dispose()
  await relay?.stop()
  await anvil?.stop()
  await rm(folder, { recursive: true, force: true })
})

const stateOf = async () => (await callWallet(home, 'getState', null)).result
const remote = async () => (await stateOf()).remote
const sessionOf = async (topic: string) => (await remote()).sessions.find(({ id }) => id === topic)

const press = (name: string) => home.getByRole('button', { name, exact: true }).click()

/** Pastes a link, starting at the wallet's home. */
const paste = async (uri: string): Promise<void> => {
  await home.reload()
  await press('Pair')
  await home.getByLabel('Pairing link', { exact: true }).fill(uri)
  await press('Continue')
}

/** Pastes a link and resolves with the window of its proposal. */
const propose = (uri: string): Promise<Page> => person.approval(() => paste(uri))

const connect = async (): Promise<string> => {
  await decide(await propose(await dapp.acts.connect(asked)), 'Connect')
  const { topic } = await dapp.next('session')
  await expect.poll(async () => (await sessionOf(topic))?.isAcknowledged).toBe(true)
  // Wait until the page shows the session.
  await home.getByRole('button', { name: 'Disconnect', exact: true }).waitFor()
  return topic
}

/** Makes a request from the dApp and approves it. */
const approve = async (topic: string, call: Call): Promise<unknown> => {
  let answer: Promise<unknown> = Promise.resolve()
  const window = await person.approval(async () => {
    answer = dapp.acts.request({ topic, chainId: LOCAL, ...call })
    answer.catch(() => undefined)
  })
  await decide(window, 'Approve')
  return answer
}

test('a relay is added if it responds', async () => {
  await expect(callWallet(home, 'addRelay', { url: 'ws://127.0.0.1:1' })).rejects.toThrow('relayUnreachable')
  const url = `ws://127.0.0.1:${relay.port}`
  await callWallet(home, 'addRelay', { url })
  await callWallet(home, 'setDefaultRelay', { url })
})

/** Stops the worker and resolves when the next one runs. */
const stopWorker = async () => {
  await person.killWorker()
  await stateOf()
}

describe('with the worker stopped before each step', () => {
  let topic: string

  test('an unsupported proposal is refused with 5100, a rejected one with 5000', async () => {
    const uri = await dapp.acts.connect(askedTooMuch)
    await stopWorker()
    await paste(uri)
    expect(await dapp.next('rejection')).toMatchObject({ code: 5100 })
    await home.getByRole('heading', { name: 'This app cannot be paired', exact: true }).waitFor()
    const window = await propose(await dapp.acts.connect(asked))
    await stopWorker()
    await decide(window, 'Reject')
    expect(await dapp.next('rejection')).toMatchObject({ code: 5000 })
  })

  test('a session is approved, and messages, typed data and transactions are signed', async () => {
    await stopWorker()
    topic = await connect()
    await stopWorker()
    await expectTextSigned(approve(topic, signText))
    await stopWorker()
    await expectMailSigned(approve(topic, signMail))
    await stopWorker()
    await expectSent(approve(topic, send), anvil.url)
  })

  test('a rejected request is 4001', async () => {
    await stopWorker()
    let answer: Promise<unknown> = Promise.resolve()
    const window = await person.approval(async () => {
      answer = dapp.acts.attempt({ topic, chainId: LOCAL, ...signText })
    })
    await stopWorker()
    await decide(window, 'Reject')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await sessionOf(topic)).toMatchObject({ approved: 3, rejected: 1 })
  })

  test('an update, its events, an extension and a ping arrive', async () => {
    await stopWorker()
    await home.locator('summary', { hasText: 'Accounts' }).click()
    await home.getByRole('switch', { name: 'Second', exact: true }).check()
    const accounts = ['eip155:31337', 'eip155:1'].flatMap(chain => [`${chain}:${ADDRESS}`, `${chain}:${SECOND}`])
    expect(await dapp.next('update')).toMatchObject({ namespaces: { eip155: { accounts } } })
    expect(await dapp.next('event')).toMatchObject({ topic, name: 'accountsChanged' })
    await stopWorker()
    await callWallet(home, 'selectNetwork', { chainId: 1 })
    expect(await dapp.next('event')).toMatchObject({ topic, name: 'chainChanged', data: 1 })
    await callWallet(home, 'selectNetwork', { chainId: 31337 })
    expect(await dapp.next('event')).toMatchObject({ topic, name: 'chainChanged', data: 31337 })
    await stopWorker()
    await press('Extend')
    expect(await dapp.next('extend')).toEqual({ topic })
    await stopWorker()
    await dapp.acts.ping({ topic })
    await press('Ping')
    await home.getByText('The app answered.', { exact: true }).waitFor()
  })

  test('either side ends a session', async () => {
    await stopWorker()
    await dapp.acts.disconnect({ topic })
    await expect.poll(() => sessionOf(topic)).toBeUndefined()
    const next = await connect()
    await stopWorker()
    await press('Disconnect')
    expect(await dapp.next('delete')).toEqual({ topic: next })
    expect(await remote()).toMatchObject({ sessions: [], proposals: [] })
    expect((await remote()).pairings).toEqual([])
  })
})

describe('no request is lost or shown twice', () => {
  let topic: string

  const ask = () => {
    const answer = dapp.acts.request({ topic, chainId: LOCAL, ...signText })
    answer.catch(() => undefined)
    return answer
  }

  /** Makes a request that only the relay gets. */
  const askUnheard = async () => {
    const accepted = await relay.accepted()
    const answer = ask()
    await expect.poll(relay.accepted).toBe(accepted + 1)
    return { answer }
  }

  test('a message wakes a stopped worker', async () => {
    topic = await connect()
    const popup = home.url()
    await home.goto('about:blank')
    await person.killWorker()
    await expectTextSigned(approve(topic, signText))
    await home.goto(popup)
  })

  test('when the relay restarts while a request is open', async () => {
    let answer: Promise<unknown> = Promise.resolve()
    const window = await person.approval(async () => {
      answer = ask()
    })
    await relay.restart('SIGKILL')
    await decide(window, 'Approve')
    await expectTextSigned(answer)
    expect((await remote()).relays[0]).toMatchObject({ phase: 'connected' })
  })

  test('when the wallet is locked and its relay is unreachable', async () => {
    await callWallet(home, 'lock', null)
    const { answer } = await askUnheard()
    await relay.restart('SIGTERM')
    const window = await person.approval(() => callWallet(home, 'unlock', { password: PASSWORD }))
    await decide(window, 'Approve')
    await expectTextSigned(answer)
  })

  test('when the browser is closed before the decision, and before a request', async () => {
    const answers: Promise<unknown>[] = []
    const undecided = await person.approval(async () => void answers.push(ask()))
    await undecided.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    const comeBack = await person.goAway()
    answers.push((await askUnheard()).answer)
    person = await comeBack()
    home = await person.open('popup.html')
    const window = await person.approval(() => callWallet(home, 'unlock', { password: PASSWORD }))
    await expect.poll(async () => (await stateOf()).requests.length).toBe(2)
    await pressIn(window, 'Approve')
    await expect.poll(async () => (await stateOf()).requests.length).toBe(1)
    await decide(window, 'Approve')
    for (const answer of answers) await expectTextSigned(answer)
    await dapp.acts.ping({ topic })
    expect((await stateOf()).requests).toEqual([])
    expect(await sessionOf(topic)).toMatchObject({ approved: 5, rejected: 0 })
  })
})

describe('a link', () => {
  test('that was rejected is used, which is shown when it is pasted again', async () => {
    const uri = await dapp.acts.connect(asked)
    await decide(await propose(uri), 'Reject')
    expect(await dapp.next('rejection')).toMatchObject({ code: 5000 })
    await stopWorker()
    await paste(uri)
    await home.getByRole('alert').getByText('The link was used already.').waitFor()
  })

  test('killing the worker right after Continue and Connect needs no repeated press and shows no error', async () => {
    const uri = await dapp.acts.connect(asked)
    const window = await person.approval(async () => {
      await paste(uri)
      await person.killWorker()
      await home.getByRole('button', { name: 'Show', exact: true }).waitFor()
    })
    expect(await home.getByRole('alert').count()).toBe(0)
    await pressIn(window, 'Connect')
    await person.killWorker()
    const { topic } = await dapp.next('session')
    await expect.poll(() => window.isClosed()).toBe(true)
    await expect.poll(() => sessionOf(topic)).toBeDefined()
    await callWallet(home, 'disconnectSession', { id: topic })
    await dapp.next('delete')
  })

  test("that waits at another relay than its app is shown as such and moved to the app's relay", async () => {
    const other = await openRelay(join(folder, 'other'))
    try {
      const url = `ws://127.0.0.1:${other.port}`
      await callWallet(home, 'addRelay', { url })
      const uri = await dapp.acts.connect(asked)
      await home.reload()
      await press('Pair')
      await home.getByLabel('Pairing link', { exact: true }).fill(uri)
      const relays = home.getByRole('combobox', { name: 'Relay', exact: true })
      await relays.selectOption(`127.0.0.1:${other.port}`)
      await press('Continue')
      await home.getByText(`relayUrl: '${url}'`, { exact: true }).waitFor()
      const window = await person.approval(async () => {
        await relays.selectOption(`127.0.0.1:${relay.port}`)
      })
      await decide(window, 'Reject')
      expect(await dapp.next('rejection')).toMatchObject({ code: 5000 })
      await callWallet(home, 'removeRelay', { url })
    } finally {
      await other.stop()
    }
  })
})

test("two wallets with the same phrase see none of each other's requests", async () => {
  const others = await openPeer(KIND, { port: relay.port, folder: join(folder, 'others'), env: { IS_VITEST: 'true' } })
  const wallet = await openHeadless({ relays: [`ws://127.0.0.1:${relay.port}`] })
  try {
    const topic = (await remote()).sessions[0]?.id ?? ''
    const { id: another } = await approveLink(wallet, await others.acts.connect(asked))
    const answer = others.acts.request({ topic: another, chainId: LOCAL, ...signText })
    answer.catch(() => undefined)
    await wallet.until(({ requests }) => requests[0])
    await dapp.acts.ping({ topic })
    expect(await stateOf()).toMatchObject({ requests: [], remote: { sessions: [{ id: topic }] } })
    await decideNext(wallet, true)
    await expectTextSigned(answer)
    await expectTextSigned(approve(topic, signText))
    expect(await wallet.state()).toMatchObject({ requests: [], remote: { sessions: [{ id: another, approved: 1 }] } })
    await callWallet(home, 'disconnectSession', { id: topic })
  } finally {
    wallet.drop()
    await others.dispose()
  }
})

test('the demo site pairs with its link, shows it as a QR code, and contacts only the relay', async () => {
  const { port } = relay
  const site = await startSite({ peers: { bridge: '', chain: '', relay: `http://127.0.0.1:${port}` } })
  const page = await person.context.newPage()
  const reached = new Set<string>()
  page.on('request', request => void reached.add(new URL(request.url()).host))
  page.on('websocket', socket => void reached.add(new URL(socket.url()).host))
  const pressHere = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const answerOf = async (id: string): Promise<unknown> => {
    const output = page.locator(`output#${id}:is([data-state=result], [data-state=error])`)
    return JSON.parse((await output.textContent()) ?? '')
  }
  try {
    await page.goto(`${site.url}/v2`)
    await pressHere('Create link')
    const link = `${await answerOf('pairing')}`
    expect(await page.getByLabel('Link', { exact: true }).inputValue()).toBe(link)
    await page.getByRole('img', { name: 'The link as a QR code', exact: true }).waitFor()
    expect(new URL(link).searchParams.get('relay-url')).toBe(`ws://127.0.0.1:${port}`)
    await decide(await propose(link), 'Connect')
    expect(await answerOf('session')).toMatchObject({ eip155: { accounts: [`${LOCAL}:${ADDRESS}`] } })
    for (const [method, verify] of [
      ['personal_sign', (text: unknown) => expect(verifyMessage('Hello over the relay.', `${text}`)).toBe(ADDRESS)],
      ['eth_signTypedData_v4', (text: unknown) => expect(text).toMatch(/^0x[0-9a-f]{130}$/)],
      ['eth_sendTransaction', (hash: unknown) => expect(hash).toMatch(/^0x[0-9a-f]{64}$/)],
    ] as const) {
      await decide(await person.approval(() => pressHere(method)), 'Approve')
      verify(await answerOf(method))
    }
    await page.reload()
    await expect.poll(() => page.locator('#account').textContent()).toBe(ADDRESS)
    await pressHere('Disconnect')
    await expect.poll(() => page.locator('#account').textContent()).toBe('not connected')
    await expect.poll(async () => (await remote()).sessions).toEqual([])
    expect(reached).toEqual(new Set([new URL(site.url).host, `127.0.0.1:${port}`]))
  } finally {
    await site.stop()
  }
})
