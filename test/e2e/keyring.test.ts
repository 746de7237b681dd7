/** Phrases, keys and locking in the built extension. */
import { HDNodeWallet, Mnemonic, wordlists } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UiMethods, UiState } from '../../extension/src/messages.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import phrases from '../vectors/phrases.json' with { type: 'json' }
import { ADDRESS, importByHand, type Owner, PASSWORD, startWithRelease, useLocalChain } from './person.ts'
import { callWallet, type Runtime } from './wallet-page.ts'

const OTHER_PASSWORD = 'a password for the file only'
const KEY = `0x${'11'.repeat(32)}`

let anvil: Anvil
let person: Owner
let page: Page

beforeAll(async () => {
  anvil = await startAnvil()
  const first = await startWithRelease()
  await first.welcome.close()
  person = first
  page = await importByHand(person)
  await useLocalChain(page, anvil.url)
})

afterAll(async () => {
  await person?.leave()
  await anvil?.stop()
})

const stateNow = async () => (await callWallet(page, 'getState', null)).result

test('a phrase in another language is imported on the setup page', async () => {
  const japanese = phrases.valid.find(({ language }) => language === 'japanese')
  const phrase = String(japanese?.phrase)
  const newcomer = await startWithRelease()
  try {
    await newcomer.welcome.close()
    const home = await importByHand(newcomer, phrase.split('\u3000'))
    const { result } = await callWallet(home, 'getState', null)
    const theirs = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase, '', wordlists.ja))
    expect(result.accounts.map(({ address }) => address)).toEqual([theirs.address])
  } finally {
    await newcomer.leave()
  }
})

test('used accounts are found', async () => {
  const [phrase] = (await stateNow()).phrases
  const { result } = await callWallet(page, 'discoverAccounts', { phraseId: String(phrase?.id) })
  // Anvil funds the first ten accounts.
  expect(result).toHaveLength(9)
  expect((await stateNow()).accounts).toHaveLength(10)
})

test('a key is exported as a keystore and imported again', async () => {
  const { result: imported } = await callWallet(page, 'importPrivateKey', { privateKey: KEY, name: 'Key' })
  const { address } = imported
  const exported = await callWallet(page, 'exportKeystore', {
    address,
    password: PASSWORD,
    keystorePassword: OTHER_PASSWORD,
  })
  await callWallet(page, 'removeAccount', { address, password: PASSWORD })
  const again = await callWallet(page, 'importKeystore', {
    keystore: exported.result.keystore,
    password: OTHER_PASSWORD,
    name: 'Again',
  })
  expect(again.result).toMatchObject({ address, kind: 'privateKey' })
  expect((await callWallet(page, 'revealPrivateKey', { address, password: PASSWORD })).result).toBe(KEY)
})

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
  const imported = { keystore: slowKeystore(), password: OTHER_PASSWORD, name: 'Slow' }
  const { grown, reason } = await importAndCancel(imported)
  expect(grown).toHaveLength(2)
  expect(reason).toBe('cancelled')
  expect((await stateNow()).task).toBeNull()
})

test('stopping the worker keeps the wallet unlocked or locked', async () => {
  await person.killWorker()
  expect(await stateNow()).toMatchObject({ phase: 'unlocked', accounts: [{ address: ADDRESS }, ...Array(10).fill({})] })
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
