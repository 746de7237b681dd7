/** The worker during a long key derivation, and the lock across stops of the worker. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UiMethods, UiState } from '../../extension/src/messages.ts'
import { ADDRESS, importWallet, PASSWORD, type Person, startPerson } from './person.ts'
import { callWallet, type Runtime } from './wallet-page.ts'

let person: Person
let page: Page

beforeAll(async () => {
  person = await startPerson()
  page = await importWallet(person)
})

afterAll(() => person?.leave())

const stateNow = async () => (await callWallet(page, 'getState', null)).result

/**
 * Returns a keystore whose key derivation takes several seconds: four times the cost of the most expensive common file.
 */
const slowKeystore = () =>
  JSON.stringify({
    version: 3,
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '00'.repeat(16) },
      ciphertext: '00'.repeat(32),
      mac: '00'.repeat(32),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: 1 << 18, r: 8, p: 4, salt: '00'.repeat(32) },
    },
  })

/**
 * Imports a keystore over a port, reads the state meanwhile, and cancels the import once its progress has grown twice.
 * Resolves with both values of the progress and the reason why the import ended. Runs in the page, because a round trip
 * of the driver can take longer than the derivation.
 */
const importAndCancel = (imported: UiMethods['importKeystore'][0]) =>
  page.evaluate(
    params =>
      new Promise<{ grown: number[]; reason: string }>((resolve, reject) => {
        const [importing, reading, cancelling] = [1, 2, 3]
        const grown: number[] = []
        const port = chrome.runtime.connect({ name: 'ui' })
        port.onDisconnect.addListener(() => reject(new Error('the worker was stopped')))
        port.onMessage.addListener(message => {
          if (!('id' in message)) return
          if (message.id === importing) {
            port.disconnect()
            resolve({ grown, reason: 'error' in message ? message.error.reason : 'imported' })
          } else if (message.id === reading && 'result' in message) {
            const { task } = message.result as UiState
            const progress = task?.name === 'importKeystore' ? task.progress : 0
            if (progress > (grown.at(-1) ?? 0)) grown.push(progress)
            const isEnough = grown.length === 2
            port.postMessage({
              id: isEnough ? cancelling : reading,
              method: isEnough ? 'cancelTask' : 'getState',
              params: null,
            })
          }
        })
        port.postMessage({ id: importing, method: 'importKeystore', params })
        port.postMessage({ id: reading, method: 'getState', params: null })
      }),
    imported,
  )

test('the worker answers calls during a long derivation, which can be cancelled', async () => {
  const imported = { keystore: slowKeystore(), password: PASSWORD, name: 'Slow' }
  const { grown, reason } = await importAndCancel(imported)
  expect(grown).toHaveLength(2)
  expect(reason).toBe('cancelled')
  expect((await stateNow()).task).toBeNull()
})

test('stopping the worker keeps the wallet unlocked or locked', async () => {
  await person.killWorker()
  expect(await stateNow()).toMatchObject({ phase: 'unlocked', accounts: [{ address: ADDRESS }] })
  await callWallet(page, 'lock', null)
  await person.killWorker()
  expect(await stateNow()).toMatchObject({ phase: 'locked', accounts: [] })
  await callWallet(page, 'unlock', { password: PASSWORD })
})

test('an alarm locks the wallet at the set time', async () => {
  await callWallet(page, 'setAutoLock', { minutes: 30 })
  const inMinutes = await page.evaluate(async () => {
    const alarm = await chrome.alarms.get('auto-lock')
    return Math.round((alarm.scheduledTime - Date.now()) / 60_000)
  })
  expect(inMinutes).toBe(30)
  await page.evaluate(() => chrome.alarms.create('auto-lock', { when: Date.now() }))
  await page.getByRole('button', { name: 'Unlock', exact: true }).waitFor()
  expect((await stateNow()).phase).toBe('locked')
})

declare const chrome: {
  runtime: Runtime
  alarms: {
    get(name: string): Promise<{ scheduledTime: number }>
    create(name: string, options: object): Promise<void>
  }
}
