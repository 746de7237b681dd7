/** Remote requests that arrive while the user is away from the wallet, from a published client over the relay. */
import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Line, openLine } from '../compat/breakable-connection.ts'
import type { Dapp } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { asked, ETHEREUM, expectTextSigned, signText } from '../session/dapp-requests.ts'
import { decide, importWallet, isFirefox, type Owner, PASSWORD, press, startOwner } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** The relay's idle timeout in seconds: the minimum of the setting. */
const IDLE_SECONDS = 8
/** Pause in milliseconds, longer than the idle timeout of Firefox's event pages. */
const IDLE_TIME = 40_000
/**
 * Milliseconds, shorter than any alarm's period (30 s or more): a window that opens within this time was opened by the
 * message.
 */
const BEFORE_ALARM = 25_000

let folder: string
let relay: Relay
let line: Line
let dapp: Peer<Dapp>
let person: Owner
let home: Page
let topic: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-away-'))
  relay = await openRelay(join(folder, 'relay'), ['--idle-seconds', `${IDLE_SECONDS}`])
  line = await openLine(relay.port)
  const env = { IS_VITEST: 'true' }
  dapp = await openPeer('sign-client 2.21', { port: relay.port, folder: join(folder, 'dapp'), env })
  person = await startOwner()
  home = await importWallet(person)
  await callWallet(home, 'addRelay', { url: line.url })
  await callWallet(home, 'setDefaultRelay', { url: line.url })
  const uri = await dapp.acts.connect(asked)
  const window = await person.approval(async () => {
    await home.getByRole('button', { name: 'Pair', exact: true }).click()
    await home.getByLabel('Pairing link', { exact: true }).fill(uri)
    await home.getByRole('button', { name: 'Continue', exact: true }).click()
  })
  await decide(window, 'Connect')
  topic = (await dapp.next('session')).topic
  await home.getByRole('button', { name: 'Disconnect', exact: true }).waitFor()
})

afterAll(async () => {
  await person?.leave()
  await dapp?.dispose()
  await line?.close()
  await relay?.stop()
  await rm(folder, { recursive: true, force: true })
})

const ask = (): Promise<unknown> => {
  const answer = dapp.acts.request({ topic, chainId: ETHEREUM, ...signText })
  answer.catch(() => undefined)
  return answer
}

/** Sends a request and resolves once the relay has stored it. The wallet does not receive it yet. */
const askUnheard = async (): Promise<{ answer: Promise<unknown> }> => {
  const accepted = await relay.accepted()
  const answer = ask()
  await expect.poll(relay.accepted).toBe(accepted + 1)
  return { answer }
}

/** Suspends all processes of the browser, like a sleeping computer, or resumes them. */
const signalBrowser = (signal: 'SIGSTOP' | 'SIGCONT') => {
  // Each browser keeps a symbolic link in its profile, and the link's target ends with the main process's PID.
  const lock = readlinkSync(join(person.profile, isFirefox ? 'lock' : 'SingletonLock'))
  const group = execFileSync('ps', ['-o', 'pgid=', '-p', `${/\d+$/.exec(lock)}`], { encoding: 'utf8' })
  process.kill(-Number(group), signal)
}

test('a request is signed while all wallet pages are closed, also if the background is stopped', async () => {
  await home.close()
  const answers: Promise<unknown>[] = []
  const sign = async () => decide(await person.approval(async () => void answers.push(ask())), 'Approve')
  await sign()
  await person.killWorker()
  await sign()
  for (const answer of answers) await expectTextSigned(answer)
})

test('a request is shown after the background was idle, without waiting for an alarm', async () => {
  if (isFirefox) await pause(IDLE_TIME)
  else await person.killWorker()
  const answers: Promise<unknown>[] = []
  let began = 0
  const window = await person.approval(async () => {
    began = Date.now()
    answers.push(ask())
  })
  // The time at which the window opened is read from its own clock, because the driver reports the window late.
  expect((await window.evaluate(() => performance.timeOrigin)) - began).toBeLessThan(BEFORE_ALARM)
  await decide(window, 'Approve')
  for (const answer of answers) await expectTextSigned(answer)
})

test('a request that arrives while the computer sleeps is shown after it wakes', async () => {
  signalBrowser('SIGSTOP')
  const { answer } = await askUnheard()
  // After this pause, the relay has closed the connection.
  await pause(2 * IDLE_SECONDS * 1_000)
  const window = await person.approval(async () => signalBrowser('SIGCONT'))
  await decide(window, 'Approve')
  await expectTextSigned(answer)
})

test('a request that arrives during a network outage is shown when the network is back', async () => {
  line.cut()
  const { answer } = await askUnheard()
  const window = await person.approval(line.mend)
  await decide(window, 'Approve')
  await expectTextSigned(answer)
})

test('requests that arrive before the browser starts are shown after the unlock', async () => {
  const answers: Promise<unknown>[] = []
  const undecided = await person.approval(async () => void answers.push(ask()))
  await undecided.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  const comeBack = await person.goAway()
  answers.push((await askUnheard()).answer)
  person = await comeBack()
  home = await person.open('popup.html')
  const window = await person.approval(() => callWallet(home, 'unlock', { password: PASSWORD }))
  const waiting = async () => (await callWallet(home, 'getState', null)).result.requests.length
  await expect.poll(waiting).toBe(2)
  await press(window, 'Approve')
  await expect.poll(waiting).toBe(1)
  await decide(window, 'Approve')
  for (const answer of answers) await expectTextSigned(answer)
  expect(await waiting()).toBe(0)
})
