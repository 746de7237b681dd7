/** Behaviour of the screens of relays and remote sessions. Elements are found by role and name. */
import { parsePairingUri } from '@heliograph/shared/wire/pairing-uri'
import { expect, test } from 'vitest'
import { aSwitch, button, on, paramsOf } from './on-screen.ts'

const TOPIC = 'ab'.repeat(32)
const LINK = `wc:${TOPIC}@2?expiryTimestamp=1763734200&relay-protocol=irn&symKey=${'cd'.repeat(32)}`
const TRADING = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const TREASURY = '0xAF5ECcB315e1469640B5082fa8fd495993D8b591'

test('a link that names another relay can still be tried at the default relay', () =>
  on('pair-other-relay', async screen => {
    const { page } = screen
    await page.getByRole('heading', { name: 'This link uses another relay', exact: true }).waitFor()
    expect(await paramsOf(screen, 'pair')).toEqual([])
    expect(await paramsOf(screen, 'addRelay')).toEqual([])
    await button(page, 'Use my relay').click()
    await expect.poll(() => paramsOf(screen, 'pair')).toEqual([{ uri: LINK, relay: 'wss://relay.home.example' }])
    expect(await paramsOf(screen, 'addRelay')).toEqual([])
  }))

test('a new link uses the first reachable relay in the list by default, and can use another one', () =>
  on('pair-relays', async screen => {
    const { page } = screen
    const relays = page.getByRole('combobox', { name: 'Relay', exact: true })
    expect(await relays.inputValue()).toBe('wss://relay.home.example')
    const other = (await relays.locator('option').allTextContents())[1] ?? ''
    await relays.selectOption(other)
    const chosen = await relays.inputValue()
    expect(chosen).not.toBe('wss://relay.home.example')
    await page.getByLabel('Pairing link', { exact: true }).fill(LINK)
    await button(page, 'Continue').click()
    await expect.poll(() => paramsOf(screen, 'pair')).toEqual([{ uri: LINK, relay: chosen }])
  }))

test('a link is wc:… or wc://…, either of these in base64, or the address of a page that carries it as uri=…', async () => {
  const wordy = LINK.replace('wc:', 'wc://')
  for (const form of [LINK, wordy, btoa(LINK), btoa(wordy), `https://app.example/wc?uri=${encodeURIComponent(LINK)}`])
    await on('pair', async screen => {
      await screen.page.getByLabel('Pairing link', { exact: true }).fill(form)
      await button(screen.page, 'Continue').click()
      const links = async () => (await paramsOf(screen, 'readPairing')) as { uri: string }[]
      await expect.poll(links).toHaveLength(1)
      expect((await links()).map(({ uri }) => parsePairingUri(uri).topic)).toEqual([TOPIC])
    })
})

test('a relay that does not respond is not used for pairing', () =>
  on('pair-exposed-relay', async screen => {
    await screen.page.getByRole('alert').getByText('The relay could not be reached.').waitFor()
    expect(await paramsOf(screen, 'addRelay')).toEqual([{ url: 'ws://192.0.2.10:8080' }])
    expect(await paramsOf(screen, 'pair')).toEqual([])
  }))

test('invalid links are reported before anything is sent', () =>
  on('pair-mistake', async screen => {
    await screen.page.getByRole('alert').getByText('These look like the words of a recovery phrase').waitFor()
    expect(await paramsOf(screen, 'readPairing')).toEqual([])
  }))

test('a link whose proposal was rejected is removed from the list, and its screen shows the reason', () =>
  on('pair-failed', async ({ page }) => {
    await page.getByRole('heading', { name: 'This app cannot be paired', exact: true }).waitFor()
    await page.getByText('The app asks for networks that this wallet does not have: eip155:5').waitFor()
  }))

test('a cancelled link is deleted', () =>
  on('pair-waiting', async screen => {
    await button(screen.page, 'Cancel').click()
    await expect.poll(() => paramsOf(screen, 'forgetPairing')).toEqual([{ id: TOPIC }])
    await screen.page.getByRole('heading', { name: 'Remote sessions', exact: true }).waitFor()
  }))

test('if no app connects for ten seconds, the screen shows the setting that makes the app use this relay', () =>
  on('pair-silent', async screen => {
    const { page } = screen
    await page.getByText("relayUrl: 'wss://relay.home.example'", { exact: true }).waitFor()
    const relays = page.getByRole('combobox', { name: 'Relay', exact: true })
    const offline = '127.0.0.1:8080 (offline)'
    expect((await relays.locator('option').allTextContents()).at(-1)).toBe(offline)
    await relays.selectOption(offline)
    await expect.poll(() => paramsOf(screen, 'movePairing')).toEqual([{ id: TOPIC, relay: 'ws://127.0.0.1:8080' }])
  }))

test('the session list and the home screen name a disconnected relay and the sessions that wait for it', async () => {
  await on('home-relay-offline', async ({ page }) => {
    const note = page.getByRole('note').filter({ hasText: 'relay.home.example' })
    expect(await note.textContent()).toMatch(/Sessions waiting for this relay:\s+Quill Mobile, ci-deployer, /)
  })
  await on('sessions-one-relay-offline', async ({ page }) => {
    const band = page.getByRole('alert')
    await band.getByText('127.0.0.1:8080').waitFor()
    expect(await band.textContent()).toMatch(/Sessions waiting for this relay:\s+ci-deployer, /)
    expect(await band.getByText('Quill Mobile').count()).toBe(0)
    expect(await page.getByText('Waiting for relay', { exact: true }).count()).toBe(2)
    expect(await page.getByText('Online', { exact: true }).count()).toBe(1)
    await button(page, 'Pair').click()
    await page.getByLabel('Pairing link', { exact: true }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Relay', exact: true }).inputValue()).toBe(
      'wss://relay.home.example',
    )
  })
})

test('a muted app is marked and can be unmuted', async () => {
  await on('sessions-muted', ({ page }) => page.getByText(/^Muted until /).waitFor())
  await on('session-detail-muted', async screen => {
    await button(screen.page, 'Allow requests').click()
    await expect
      .poll(() => paramsOf(screen, 'allowRequests'))
      .toEqual([{ origin: 'wc:4f2a91cc83d05e17b6aa0c2f5e17b6aa' }])
  })
})

test('without an account or a network, Connect is unavailable', () =>
  on('approve-proposal', async ({ page }) => {
    await page.getByRole('checkbox', { name: 'Trading', exact: true }).uncheck()
    expect(await button(page, 'Connect').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Trading', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Ethereum', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Local chain', exact: true }).uncheck()
    expect(await button(page, 'Connect').isDisabled()).toBe(true)
  }))

test('Esc rejects a proposal and deletes its link', () =>
  on('approve-proposal', async screen => {
    await screen.page.keyboard.press('Escape')
    await expect.poll(() => paramsOf(screen, 'rejectProposal')).toEqual([{ id: 'proposal-4f2a91' }])
    expect(await paramsOf(screen, 'approveProposal')).toEqual([])
    await expect.poll(() => screen.page.evaluate(() => window.closings)).toBe(1)
  }))

test('a proposal whose approval fails shows the reason and stays', () =>
  on('approve-proposal-queue', async ({ page }) => {
    await button(page, 'Next request').click()
    await page.getByRole('heading', { name: 'Connect “Quill Mobile”?', exact: true }).waitFor()
    await button(page, 'Previous request').click()
    await page.getByRole('heading', { name: 'Sign a message', exact: true }).waitFor()
  }))

test('switches take effect at once, and switch back on failure', async () => {
  await on('session-detail', async screen => {
    const { page } = screen
    await aSwitch(page, 'Ask to send transactions').check()
    await page.getByText('Accounts', { exact: true }).click()
    expect(await aSwitch(page, 'Trading').isDisabled()).toBe(true)
    await aSwitch(page, 'Treasury').check()
    const id = 'session-4f2a91'
    const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']
    await expect
      .poll(() => paramsOf(screen, 'updateSession'))
      .toEqual([
        { id, methods },
        { id, accounts: [TRADING, TREASURY] },
      ])
  })
  await on('session-detail-offline', async ({ page }) => {
    const send = aSwitch(page, 'Ask to send transactions')
    await send.click()
    await page.getByRole('alert').getByText('The wallet is locked').waitFor()
    await expect.poll(() => send.isChecked()).toBe(false)
  })
})

test('a session is pinged, extended and disconnected', () =>
  on('session-detail', async screen => {
    const { page } = screen
    await button(page, 'Ping').click()
    await page.getByRole('status').getByText('Ping sent. No response yet.').waitFor()
    await button(page, 'Extend').click()
    await button(page, 'Disconnect').click()
    await page.getByRole('heading', { name: 'Remote sessions', exact: true }).waitFor()
    const id = 'session-4f2a91'
    expect(await paramsOf(screen, 'pingSession')).toEqual([{ id }])
    expect(await paramsOf(screen, 'extendSession')).toEqual([{ id }])
    expect(await paramsOf(screen, 'disconnectSession')).toEqual([{ id }])
  }))

test('all sessions are disconnected only after a confirmation', () =>
  on('sessions-disconnect-all', async screen => {
    const dialog = screen.page.getByRole('dialog', { name: 'Disconnect all 3 sessions?', exact: true })
    expect(await paramsOf(screen, 'disconnectAllSessions')).toEqual([])
    await dialog.getByRole('button', { name: 'Disconnect all', exact: true }).click()
    await expect.poll(() => paramsOf(screen, 'disconnectAllSessions')).toHaveLength(1)
    await dialog.waitFor({ state: 'detached' })
  }))

test("the window shows the app's claimed name, its key and its relay", () =>
  on('approve-remote', async ({ page }) => {
    const requester = page.getByRole('banner')
    expect(await requester.textContent()).toMatch(/Quill Mobile.*Name given by the app/s)
    const route = page.getByRole('list', { name: 'Route', exact: true })
    expect(await route.textContent()).toMatch(/4F2A 91CC.*relay\.home\.example/s)
  }))

test('relays are retried, made the default, removed and added again', () =>
  on('settings-sessions-hostile', async screen => {
    const { page } = screen
    await button(page, 'Retry').click()
    await button(page, 'Use by default: 192.0.2.10:8080').click()
    await button(page, 'Remove 192.0.2.10:8080').click()
    const url = 'ws://192.0.2.10:8080'
    await expect.poll(() => paramsOf(screen, 'removeRelay')).toEqual([{ url }])
    expect(await paramsOf(screen, 'setDefaultRelay')).toEqual([{ url }])
    expect(await paramsOf(screen, 'retryRelays')).toHaveLength(1)
  }))

test('testing a relay does not save it', () =>
  on('settings-relay-tested', async screen => {
    await screen.page.getByRole('status').getByText('It responded in 38 ms.').waitFor()
    expect(await paramsOf(screen, 'addRelay')).toEqual([])
  }))

test('a QR code picture stays in its tab, and its text is validated like a pasted one', async () => {
  let picture: Buffer = Buffer.alloc(0)
  await on('receive', async ({ page }) => {
    picture = await page.locator('.qr').screenshot()
  })
  await on('settings-scan', async screen => {
    const { page } = screen
    const sent: string[] = []
    page.on('request', request => void (request.method() !== 'GET' && sent.push(request.url())))
    const calls = await screen.calls()
    const file = page.getByLabel('Choose a picture of a code', { exact: true })
    await file.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('alert').getByText('This is an address.').waitFor()
    await file.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: Buffer.from('nothing') })
    await page.getByRole('alert').getByText('This file is not an image that can be read.').waitFor()
    expect([sent, await screen.calls()]).toEqual([[], calls])
  })
})

test('a relay can be set up at the end of onboarding, and no relay is contacted before that', () =>
  on('done', async screen => {
    const { page } = screen
    await button(page, 'Set up relay').click()
    await page.getByRole('heading', { name: 'Set up your relay', exact: true }).waitFor()
    expect((await screen.calls()).filter(({ method }) => method === 'testRelay' || method === 'addRelay')).toEqual([])
    await button(page, 'Back').click()
    await button(page, 'Open wallet').waitFor()
  }))
