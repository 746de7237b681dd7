/** Relays, pairing links and sessions by keyboard and by mouse, with a published client over a real relay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dapp } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { asked, ETHEREUM, expectTextSigned, signText } from '../session/dapp-requests.ts'
import { approve, reject } from './deciding.ts'
import { expectFocus, INPUT_DEVICES, type InputDevice } from './input-devices.ts'
import { importWallet, type Person, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** Two host names of the same relay. */
const HOSTS = { keyboard: '127.0.0.1', mouse: 'localhost' } as const

let folder: string
let relay: Relay
let dapp: Peer<Dapp>
let person: Person
let home: Page
let settings: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-flows-'))
  const openWallet = async () => {
    person = await startPerson()
    await importWallet(person)
    home = await person.open('popup.html')
    settings = await person.open('settings.html')
  }
  relay = await openRelay(join(folder, 'relay'))
  const openDapp = async () => {
    const env = { IS_VITEST: 'true' }
    dapp = await openPeer('sign-client 2.21', { port: relay.port, folder: join(folder, 'dapp'), env })
  }
  await Promise.all([openWallet(), openDapp()])
  // The wallet uses this relay by default until the tests choose another one.
  await callWallet(home, 'addRelay', { url: `ws://first.localhost:${relay.port}` })
})

afterAll(async () => {
  await person?.leave()
  await dapp?.dispose()
  await relay?.stop()
  await rm(folder, { recursive: true, force: true })
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Pastes an app's link and resolves with the window of its proposal. */
const propose = async (device: InputDevice): Promise<Page> => {
  const link = await dapp.acts.connect(asked)
  return person.approval(async () => {
    await device.write(home, 'Pairing link', link)
    await device.press(home, 'button', 'Continue')
  })
}

test.for(INPUT_DEVICES)('by %s: a relay is tested, added and made the default', async ([name, device]) => {
  const host = `${HOSTS[name]}:${relay.port}`
  await settings.bringToFront()
  await device.press(settings, 'link', 'Remote sessions')
  await device.write(settings, 'Relay URL', `ws://${host}`)
  await device.press(settings, 'button', 'Test')
  await settings.getByText(/^It responded in /).waitFor()
  await device.press(settings, 'button', 'Add relay')
  await settings.getByText(`${host} was added.`).waitFor()
  await device.press(settings, 'button', `Use by default: ${host}`)
  await settings.getByRole('button', { name: `Use by default: ${host}`, exact: true }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(INPUT_DEVICES)(
  'by %s: a proposal is rejected, another is approved, its request signed and its session ended',
  async ([, device]) => {
    await home.bringToFront()
    await device.press(home, 'button', 'Pair')
    await reject(device, await propose(device))
    expect(await dapp.next('rejection')).toMatchObject({ code: 5000 })
    await heading(home, 'Not connected').waitFor()
    await device.press(home, 'button', 'Use another link')

    const window = await propose(device)
    await device.press(window, 'switch', 'Ask to send transactions')
    await approve(device, window, 'Connect')
    const { topic } = await dapp.next('session')
    await home.getByRole('button', { name: 'Ping', exact: true }).waitFor()
    await expectFocus(home)

    const answers: Promise<unknown>[] = []
    const request = await person.approval(async () => {
      const answer = dapp.acts.request({ topic, chainId: ETHEREUM, ...signText })
      answer.catch(() => undefined)
      answers.push(answer)
    })
    await approve(device, request)
    await expectTextSigned(Promise.all(answers).then(([answer]) => answer))

    await home.bringToFront()
    await device.press(home, 'button', 'Ping')
    await home.getByText('The app answered.', { exact: true }).waitFor()
    await device.press(home, 'switch', 'Ask to send transactions')
    await dapp.next('update')
    await device.press(home, 'button', 'Disconnect')
    expect(await dapp.next('delete')).toEqual({ topic })
    await heading(home, 'Remote sessions').waitFor()
    await expectFocus(home)
    await device.back(home)
    await home.getByRole('button', { name: 'Pair', exact: true }).waitFor()
  },
)

test.for(INPUT_DEVICES)('by %s: all sessions are ended at once', async ([, device]) => {
  await home.bringToFront()
  await device.press(home, 'button', 'Pair')
  await approve(device, await propose(device), 'Connect')
  const { topic } = await dapp.next('session')
  await settings.bringToFront()
  await device.press(settings, 'button', 'Disconnect all')
  const dialog = settings.getByRole('dialog', { name: 'Disconnect 1 session?', exact: true })
  await device.press(dialog, 'button', 'Disconnect all')
  expect(await dapp.next('delete')).toEqual({ topic })
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)
  await heading(home, 'Remote sessions').waitFor()
  await home.bringToFront()
  await device.back(home)
  await home.getByRole('button', { name: 'Pair', exact: true }).waitFor()
})

test.for(INPUT_DEVICES)('by %s: a relay is removed', async ([name, device]) => {
  const remove = `Remove ${HOSTS[name]}:${relay.port}`
  await settings.bringToFront()
  await device.press(settings, 'button', remove)
  await settings.getByRole('button', { name: remove, exact: true }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})
