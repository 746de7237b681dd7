/**
 * A remote session in a real browser, with a published client in a separate process, over the relay. `test/session`
 * tests its steps without a browser, and `sessions-steps.test.ts` in one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectTextSigned, signText } from '../session/dapp-requests.ts'
import { addRelay, type RemoteWallet, startRemoteWallet } from './remote-wallet.ts'
import { callWallet } from './wallet-page.ts'

let wallet: RemoteWallet

beforeAll(async () => {
  wallet = await startRemoteWallet()
  await addRelay(wallet)
})
afterAll(() => wallet?.stop())

test('a relay that does not respond is not added', async () => {
  await expect(callWallet(wallet.home, 'addRelay', { url: 'ws://127.0.0.1:1' })).rejects.toThrow('relayUnreachable')
})

test('a stopped worker starts to approve a session, and for a message, even if no page is open', async () => {
  await wallet.stopWorker()
  const topic = await wallet.connect()
  await wallet.stopWorker()
  await expectTextSigned(wallet.approve(topic, signText))
  await wallet.home.goto('about:blank')
  await wallet.person.killWorker()
  await expectTextSigned(wallet.approve(topic, signText))
})
