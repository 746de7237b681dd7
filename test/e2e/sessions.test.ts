/**
 * A remote session in a real browser, with an unmodified client in a separate process, over the relay. Its steps are proved
 * without a browser, in `test/session`, and in `sessions-steps.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectTextSigned, signText } from '../session/dapp-requests.ts'
import { type Person, startPerson } from './person.ts'
import { addRelay, type RemoteWallet, startRemoteWallet } from './remote-wallet.ts'
import { callWallet } from './wallet-page.ts'

let wallet: RemoteWallet<Person>

beforeAll(async () => {
  wallet = await startRemoteWallet(startPerson)
  await addRelay(wallet)
})
afterAll(() => wallet?.stop())

test('a relay that does not respond is not added', async () => {
  await expect(callWallet(wallet.home, 'addRelay', { url: 'ws://127.0.0.1:1' })).rejects.toThrow('relayUnreachable')
})

test('a stopped worker starts for the approval of a session, and for a message, also without a page', async () => {
  await wallet.stopWorker()
  const topic = await wallet.connect()
  await wallet.stopWorker()
  await expectTextSigned(wallet.approve(topic, signText))
  await wallet.home.goto('about:blank')
  await wallet.person.killWorker()
  await expectTextSigned(wallet.approve(topic, signText))
})
