/**
 * Searches the browser's profile and the worker's heap for secrets after the wallet was created, used and locked. The
 * search has limits: it skips data that Chromium compresses or encrypts in the profile, and a heap snapshot has
 * reachable strings but no bytes of typed arrays and no freed memory.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HDNodeWallet, Mnemonic } from 'ethers'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWallet, lock, type Owner, PASSWORD, startWithRelease } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** A stored marker that the search must find, so that a broken search fails. */
const MARKER = 'a marker that is not a secret'

/** A secret as text or bytes. */
type Secret = { name: string; text?: string; bytes?: Buffer }

let person: Owner
let home: Page
let secrets: readonly Secret[]

declare const chrome: {
  storage: Record<'local' | 'session', { get(name: string): Promise<object>; set(value: object): Promise<void> }>
}

const sessionValue = (name: string): Promise<unknown> =>
  home.evaluate(async key => Object.values(await chrome.storage.session.get(key))[0], name)

const hex = (text: string) => Buffer.from(text.replace(/^0x/, ''), 'hex')

beforeAll(async () => {
  const newcomer = await startWithRelease()
  await newcomer.welcome.close()
  person = newcomer
  const { page, phrase } = await createWallet(person)
  home = page
  await lock(home)
  await home.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await home.getByRole('button', { name: 'Unlock', exact: true }).click()
  await home.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
  const { result: state } = await callWallet(home, 'getState', null)
  const [address] = state.accounts.map(account => account.address)
  const phraseId = String(state.phrases[0]?.id)
  // These calls make the worker return the secrets as text.
  await callWallet(home, 'revealPhrase', { phraseId, password: PASSWORD })
  await callWallet(home, 'revealPrivateKey', { address: String(address), password: PASSWORD })
  const mnemonic = Mnemonic.fromPhrase(phrase.join(' '))
  const wallet = HDNodeWallet.fromMnemonic(mnemonic)
  expect(wallet.address).toBe(address)
  secrets = [
    { name: 'phrase', text: phrase.join(' ') },
    { name: 'password', text: PASSWORD },
    { name: 'entropy', bytes: hex(mnemonic.entropy) },
    { name: 'seed', bytes: hex(mnemonic.computeSeed()) },
    { name: 'private key', bytes: hex(wallet.privateKey) },
    { name: 'vault key', bytes: hex(String(await sessionValue('vault-key'))) },
  ]
  for (const { name, bytes } of secrets) if (bytes) expect(bytes.length, name).toBeGreaterThanOrEqual(16)
  await home.evaluate(marker => chrome.storage.local.set({ marker }), MARKER)
  const worker = await attachToWorker()
  await worker.send('Runtime.evaluate', { expression: `globalThis.marked = ${JSON.stringify(MARKER)}` })
  await lock(home)
})

afterAll(() => person?.leave())

/**
 * Returns the Base64 forms of bytes at any offset in longer data, without characters that depend on the neighbouring
 * bytes.
 */
const base64Within = (bytes: Buffer): string[] =>
  [0, 1, 2].map(before => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return encoded.slice(before === 0 ? 0 : before + 1, -1)
  })

/** Returns the text encodings of a secret. */
const spellings = ({ text, bytes }: Secret): string[] => {
  const raw = bytes ?? Buffer.from(text ?? '')
  const digits = raw.toString('hex')
  return [...(text === undefined ? [] : [text]), digits, digits.toUpperCase(), ...base64Within(raw)]
}

/** Returns the byte encodings of a secret in a file. Browsers store text as UTF-8 and as UTF-16. */
const needles = (secret: Secret): Buffer[] => [
  ...(secret.bytes ? [secret.bytes] : []),
  ...spellings(secret).flatMap(text => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]),
]

const filesBelow = async (folder: string): Promise<Map<string, Buffer>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  // The browser can remove files after they were listed, so a missing file counts as empty.
  const read = await Promise.all(files.map(file => readFile(file).catch(() => Buffer.alloc(0))))
  return new Map(files.map((file, at) => [file, read[at] ?? Buffer.alloc(0)]))
}

const foundIn = (files: ReadonlyMap<string, Buffer>, secret: Secret): string[] =>
  [...files].flatMap(([file, content]) => (needles(secret).some(needle => content.includes(needle)) ? [file] : []))

type Worker = {
  send(method: string, params?: object): Promise<Record<string, unknown>>
  /** Takes a heap snapshot and returns it as JSON text. */
  snapshot(): Promise<string>
}

/** Opens a DevTools session with the wallet's worker, through a page's session. */
const attachToWorker = async (): Promise<Worker> => {
  const session: CDPSession = await person.context.newCDPSession(home)
  const { targetInfos } = await session.send('Target.getTargets')
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension:'))
  if (!worker) throw new Error('the service worker is not running')
  const { sessionId } = await session.send('Target.attachToTarget', { targetId: worker.targetId, flatten: false })
  const chunks: string[] = []
  const waiting = new Map<number, (answer: { result?: Record<string, unknown>; error?: object }) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const heard = JSON.parse(message)
    if (heard.method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(heard.params.chunk)
    waiting.get(heard.id)?.(heard)
  })
  let sent = 0
  const send: Worker['send'] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++sent
      waiting.set(id, ({ result, error }) => (result ? resolve(result) : reject(new Error(JSON.stringify(error)))))
      const message = JSON.stringify({ id, method, params })
      session.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject)
    })
  const snapshot = async () => {
    await send('HeapProfiler.collectGarbage')
    chunks.length = 0
    await send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    return chunks.join('')
  }
  return { send, snapshot }
}

test('the worker holds no phrase, key or password after the lock', async () => {
  const worker = await attachToWorker()
  const { strings } = JSON.parse(await worker.snapshot()) as { strings: string[] }
  const isHeld = (secret: Secret) => spellings(secret).some(spelling => strings.some(text => text.includes(spelling)))
  // The marker was set before the lock, so its presence proves that this is the same worker.
  expect(isHeld({ name: 'marker', text: MARKER })).toBe(true)
  expect(secrets.filter(isHeld).map(({ name }) => name)).toEqual([])
})

test("the browser's profile holds no phrase, key or password, while it runs and after it closes", async () => {
  const look = async () => {
    const files = await filesBelow(person.profile)
    expect(foundIn(files, { name: 'marker', text: MARKER })).not.toEqual([])
    expect(secrets.flatMap(secret => foundIn(files, secret).map(file => `${secret.name} in ${file}`))).toEqual([])
  }
  await look()
  await person.goAway()
  await look()
})
