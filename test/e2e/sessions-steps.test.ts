/**
 * Every step of a remote session in the browser, restarts of the relay, and the outcomes of a pairing link.
 * `test/session` runs the same steps without a browser.
 */
import { join } from 'node:path'
import { verifyMessage } from 'ethers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECOND } from '../../extension/src/wallet/wallet.fixture.ts'
import { openRelay } from '../compat/relay.ts'
import { startSite } from '../dapp/server.ts'
import { asked, askedTooMuch, expectSent, expectTextSigned, LOCAL, send, signText } from '../session/dapp-requests.ts'
import { ADDRESS, decide, PASSWORD, press } from './person.ts'
import { addRelay, type RemoteWallet, startRemoteWallet } from './remote-wallet.ts'
import { callWallet } from './wallet-page.ts'

let wallet: RemoteWallet

beforeAll(async () => {
  wallet = await startRemoteWallet()
  await addRelay(wallet)
})
afterAll(() => wallet?.stop())

describe('with the worker stopped before each step', () => {
  let topic: string

  test('an unsupported proposal is rejected with 5100, a proposal that the user rejects with 5000', async () => {
    const uri = await wallet.dapp.acts.connect(askedTooMuch)
    await wallet.stopWorker()
    await wallet.paste(uri)
    expect(await wallet.dapp.next('rejection')).toMatchObject({ code: 5100 })
    await wallet.home.getByRole('heading', { name: 'This app cannot be paired', exact: true }).waitFor()
    const window = await wallet.propose(await wallet.dapp.acts.connect(asked))
    await wallet.stopWorker()
    await decide(window, 'Reject')
    expect(await wallet.dapp.next('rejection')).toMatchObject({ code: 5000 })
  })

  test('a session is approved, and a message and a transaction are signed', async () => {
    await wallet.stopWorker()
    topic = await wallet.connect()
    await wallet.stopWorker()
    await expectTextSigned(wallet.approve(topic, signText))
    await wallet.stopWorker()
    await expectSent(wallet.approve(topic, send), wallet.anvil.url)
  })

  test('a rejected request fails with 4001', async () => {
    await wallet.stopWorker()
    let answer: Promise<unknown> = Promise.resolve()
    const window = await wallet.person.approval(async () => {
      answer = wallet.dapp.acts.attempt({ topic, chainId: LOCAL, ...signText })
    })
    await wallet.stopWorker()
    await decide(window, 'Reject')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await wallet.session(topic)).toMatchObject({ approved: 2, rejected: 1 })
  })

  test('an update, its events, an extension and a ping arrive', async () => {
    await wallet.stopWorker()
    await wallet.home.locator('summary', { hasText: 'Accounts' }).click()
    await wallet.home.getByRole('switch', { name: 'Second', exact: true }).check()
    const accounts = ['eip155:31337', 'eip155:1'].flatMap(chain => [`${chain}:${ADDRESS}`, `${chain}:${SECOND}`])
    expect(await wallet.dapp.next('update')).toMatchObject({ namespaces: { eip155: { accounts } } })
    expect(await wallet.dapp.next('event')).toMatchObject({ topic, name: 'accountsChanged' })
    await wallet.stopWorker()
    await callWallet(wallet.home, 'selectNetwork', { chainId: 1 })
    expect(await wallet.dapp.next('event')).toMatchObject({ topic, name: 'chainChanged', data: 1 })
    await callWallet(wallet.home, 'selectNetwork', { chainId: 31337 })
    expect(await wallet.dapp.next('event')).toMatchObject({ topic, name: 'chainChanged', data: 31337 })
    await wallet.stopWorker()
    await wallet.press('Extend')
    expect(await wallet.dapp.next('extend')).toEqual({ topic })
    await wallet.stopWorker()
    await wallet.dapp.acts.ping({ topic })
    await wallet.press('Ping')
    await wallet.home.getByText('The app answered.', { exact: true }).waitFor()
  })

  test('either side ends a session', async () => {
    await wallet.stopWorker()
    await wallet.dapp.acts.disconnect({ topic })
    await expect.poll(() => wallet.session(topic)).toBeUndefined()
    const next = await wallet.connect()
    await wallet.stopWorker()
    await wallet.press('Disconnect')
    expect(await wallet.dapp.next('delete')).toEqual({ topic: next })
    expect((await wallet.state()).remote).toMatchObject({ sessions: [], proposals: [] })
    expect((await wallet.state()).remote.pairings).toEqual([])
  })
})

describe('no request is lost or shown twice', () => {
  let topic: string

  const ask = () => {
    const answer = wallet.dapp.acts.request({ topic, chainId: LOCAL, ...signText })
    answer.catch(() => undefined)
    return answer
  }

  /** Sends a request that reaches only the relay. */
  const askUnheard = async () => {
    const accepted = await wallet.relay.accepted()
    const answer = ask()
    await expect.poll(wallet.relay.accepted).toBe(accepted + 1)
    return { answer }
  }

  test('when the relay restarts while a request is open', async () => {
    topic = await wallet.connect()
    let answer: Promise<unknown> = Promise.resolve()
    const window = await wallet.person.approval(async () => {
      answer = ask()
    })
    await wallet.relay.restart('SIGKILL')
    await decide(window, 'Approve')
    await expectTextSigned(answer)
    expect((await wallet.state()).remote.relays[0]).toMatchObject({ phase: 'connected' })
  })

  test('when the wallet is locked and its relay is unreachable', async () => {
    await callWallet(wallet.home, 'lock', null)
    const { answer } = await askUnheard()
    await wallet.relay.restart('SIGTERM')
    const window = await wallet.person.approval(() => callWallet(wallet.home, 'unlock', { password: PASSWORD }))
    await decide(window, 'Approve')
    await expectTextSigned(answer)
    await wallet.dapp.acts.ping({ topic })
    expect((await wallet.state()).requests).toEqual([])
    expect(await wallet.session(topic)).toMatchObject({ approved: 2, rejected: 0 })
    await callWallet(wallet.home, 'disconnectSession', { id: topic })
    await wallet.dapp.next('delete')
  })
})

describe('a link', () => {
  test('that was rejected is reported as used when it is pasted again', async () => {
    const uri = await wallet.dapp.acts.connect(asked)
    await decide(await wallet.propose(uri), 'Reject')
    expect(await wallet.dapp.next('rejection')).toMatchObject({ code: 5000 })
    await wallet.stopWorker()
    await wallet.paste(uri)
    await wallet.home.getByRole('alert').getByText('The link has already been used.').waitFor()
  })

  test('needs no second press and shows no error if the worker is killed right after Continue and Connect', async () => {
    const uri = await wallet.dapp.acts.connect(asked)
    const window = await wallet.person.approval(async () => {
      await wallet.paste(uri)
      await wallet.person.killWorker()
      await wallet.home.getByRole('button', { name: 'Show', exact: true }).waitFor()
    })
    expect(await wallet.home.getByRole('alert').count()).toBe(0)
    await press(window, 'Connect')
    await wallet.person.killWorker()
    const { topic } = await wallet.dapp.next('session')
    await expect.poll(() => window.isClosed()).toBe(true)
    await expect.poll(() => wallet.session(topic)).toBeDefined()
    await callWallet(wallet.home, 'disconnectSession', { id: topic })
    await wallet.dapp.next('delete')
  })

  test("that the wallet opened on another relay than the app is reported, and moved to the app's relay", async () => {
    const other = await openRelay(join(wallet.folder, 'other'))
    try {
      const url = `ws://127.0.0.1:${other.port}`
      await callWallet(wallet.home, 'addRelay', { url })
      const uri = await wallet.dapp.acts.connect(asked)
      await wallet.home.reload()
      await wallet.press('Pair')
      await wallet.home.getByLabel('Pairing link', { exact: true }).fill(uri)
      const relays = wallet.home.getByRole('combobox', { name: 'Relay', exact: true })
      await relays.selectOption(`127.0.0.1:${other.port}`)
      await wallet.press('Continue')
      await wallet.home.getByText(`relayUrl: '${url}'`, { exact: true }).waitFor()
      const window = await wallet.person.approval(async () => {
        await relays.selectOption(`127.0.0.1:${wallet.relay.port}`)
      })
      await decide(window, 'Reject')
      expect(await wallet.dapp.next('rejection')).toMatchObject({ code: 5000 })
      await callWallet(wallet.home, 'removeRelay', { url })
    } finally {
      await other.stop()
    }
  })
})

test('the demo site pairs with its link, shows it as a QR code, and contacts only the relay', async () => {
  const { port } = wallet.relay
  const site = await startSite({ peers: { bridge: '', chain: '', relay: `http://127.0.0.1:${port}` } })
  const page = await wallet.person.context.newPage()
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
    await decide(await wallet.propose(link), 'Connect')
    expect(await answerOf('session')).toMatchObject({ eip155: { accounts: [`${LOCAL}:${ADDRESS}`] } })
    for (const [method, verify] of [
      ['personal_sign', (text: unknown) => expect(verifyMessage('Hello over the relay.', `${text}`)).toBe(ADDRESS)],
      ['eth_signTypedData_v4', (text: unknown) => expect(text).toMatch(/^0x[0-9a-f]{130}$/)],
      ['eth_sendTransaction', (hash: unknown) => expect(hash).toMatch(/^0x[0-9a-f]{64}$/)],
    ] as const) {
      await decide(await wallet.person.approval(() => pressHere(method)), 'Approve')
      verify(await answerOf(method))
    }
    await page.reload()
    await expect.poll(() => page.locator('#account').textContent()).toBe(ADDRESS)
    await pressHere('Disconnect')
    await expect.poll(() => page.locator('#account').textContent()).toBe('not connected')
    await expect.poll(async () => (await wallet.state()).remote.sessions).toEqual([])
    expect(reached).toEqual(new Set([new URL(site.url).host, `127.0.0.1:${port}`]))
  } finally {
    await site.stop()
  }
})
