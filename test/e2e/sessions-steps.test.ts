/** Every step of a remote session in the browser. `test/session` runs the same steps without a browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECOND } from '../../extension/src/wallet/wallet.fixture.ts'
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
import { ADDRESS, decide, type Person, startPerson } from './person.ts'
import { addRelay, type RemoteWallet, startRemoteWallet } from './remote-wallet.ts'
import { callWallet } from './wallet-page.ts'

let wallet: RemoteWallet<Person>

beforeAll(async () => {
  wallet = await startRemoteWallet(startPerson)
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

  test('a session is approved, and messages, typed data and transactions are signed', async () => {
    await wallet.stopWorker()
    topic = await wallet.connect()
    await wallet.stopWorker()
    await expectTextSigned(wallet.approve(topic, signText))
    await wallet.stopWorker()
    await expectMailSigned(wallet.approve(topic, signMail))
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
    expect(await wallet.session(topic)).toMatchObject({ approved: 3, rejected: 1 })
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
