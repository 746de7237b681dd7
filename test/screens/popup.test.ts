import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { UiState } from '../../extension/src/messages.ts'
import { advance } from './browser.ts'
import { screens } from './fixtures.ts'
import { button, focused, HOLD, on, paramsOf } from './on-screen.ts'

/** Calls that the home screen makes without user input. */
const READINGS = new Set([
  ...[
    'getBalance',
    'getCoinBalances',
    'getHoldings',
    'getKept',
    'getActiveSite',
    'getListedNetworks',
    'getPublicNodes',
  ],
])

const ADDRESS = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** Milliseconds, longer than the pause between two reads of the active tab. */
const LOOK_AGAIN = 2_100

test('arrow keys select tabs, and the Activity tab counts pending transactions', () =>
  on('home-activity', async ({ page }) => {
    const activity = page.getByRole('tab', { name: 'Activity', exact: true })
    await activity.focus()
    expect(await activity.getAttribute('aria-selected')).toBe('true')
    await page.getByText('2 pending', { exact: true }).waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const tokens = page.getByRole('tab', { name: 'Tokens', exact: true })
    expect(await tokens.evaluate(tab => tab === document.activeElement)).toBe(true)
    expect(await tokens.getAttribute('aria-selected')).toBe('true')
    expect(await activity.getAttribute('tabindex')).toBe('-1')
  }))

test('a pending transaction is sped up for the shown fee; a failure shows its reason, and Esc goes back', () =>
  on('activity-pending', async screen => {
    const { page } = screen
    const hash = screens['activity-pending']?.state.activity[0]?.hash
    const fast = { maxFeePerGas: '0x2dd231b00', maxPriorityFeePerGas: '0xb2d05e00' }
    await button(page, 'Speed up').press('Enter')
    await page.getByRole('radio', { name: 'Fast', exact: true, checked: true }).waitFor()
    // The second "Speed up" is in the place of the first, so a habitual second press must do nothing.
    await button(page, 'Speed up').click({ force: true })
    expect(await paramsOf(screen, 'speedUp')).toEqual([])
    await advance(page, HOLD)
    await button(page, 'Speed up').click()
    await page.getByRole('alert').getByText('The nonce 118 has already been used').waitFor()
    expect(await paramsOf(screen, 'speedUp')).toEqual([{ hash, fees: fast }])
    await page.keyboard.press('Escape')
    await button(page, 'Cancel transaction').waitFor()
  }))

test('a cancellation pays at least the minimum of a replacement', () =>
  on('activity-pending', async screen => {
    const { page } = screen
    const hash = screens['activity-pending']?.state.activity[0]?.hash
    await button(page, 'Cancel transaction').click()
    await page.getByText('10% more: 7.92').waitFor()
    await page.getByRole('radio', { name: 'Custom', exact: true }).check()
    await page.getByLabel('Max fee', { exact: true }).fill('7.9')
    await page
      .getByRole('alert')
      .getByText(/^The price must be at least 7.92.gwei/)
      .waitFor()
    expect(await button(page, 'Cancel transaction').isDisabled()).toBe(true)
    await page.getByLabel('Max fee', { exact: true }).fill('8')
    await advance(page, HOLD)
    await page.getByLabel('Max fee', { exact: true }).press('Enter')
    await page.getByRole('radio', { name: 'Custom', exact: true }).press('Enter')
    expect(await paramsOf(screen, 'cancelTransaction')).toEqual([])
    await advance(page, HOLD)
    await button(page, 'Cancel transaction').click()
    await expect
      .poll(() => paramsOf(screen, 'cancelTransaction'))
      .toEqual([{ hash, fees: { maxFeePerGas: '0x1dcd65000', maxPriorityFeePerGas: '0xb2d05e00' } }])
  }))

test('the details of a pending transaction update when it is confirmed', () =>
  on('activity-pending', async ({ page }) => {
    const state = structuredClone(screens['activity-pending']?.state)
    if (!state?.activity[0]) throw new Error('there is no activity')
    const settled = { ...state.activity[0], status: 'confirmed' as const, block: '0x10', fee: '0x1' }
    await page.evaluate(next => window.preview.push(next), { ...state, activity: [settled] })
    await page.getByRole('status').getByText('Confirmed', { exact: true }).waitFor()
    expect(await button(page, 'Speed up').count()).toBe(0)
  }))

test('a signed transaction is sent, cancelled or discarded', () =>
  on('activity-signed', async screen => {
    const { page } = screen
    await button(page, 'Send').click()
    await button(page, 'Cancel transaction').click()
    await button(page, 'Discard').click()
    await expect.poll(() => paramsOf(screen, 'discardSigned')).toHaveLength(1)
    expect(await paramsOf(screen, 'sendSigned')).toHaveLength(1)
    expect(await paramsOf(screen, 'cancelTransaction')).toHaveLength(1)
  }))

test('activity of a reset chain is cleared after a confirmation', () =>
  on('home-chain-reset-question', async screen => {
    const { page } = screen
    const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true })
    expect(await cancel.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await paramsOf(screen, 'resetChain')).toEqual([])
    await button(page, 'Clear').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await paramsOf(screen, 'resetChain')).toEqual([{ chainId: 1 }])
  }))

test("a node's error text is shown safely", () =>
  on('activity-failed', async ({ page }) => {
    expect(await page.locator('body').textContent()).not.toContain('\u202e')
    expect(await page.getByText('U+202E', { exact: true }).count()).toBe(1)
  }))

test('muted sites are listed with the time until which they are muted, and can be unmuted', () =>
  on('home-muted', async screen => {
    const { page } = screen
    const notes = page.getByRole('note').filter({ hasText: 'Muted until 00:00' })
    await notes.first().getByText('app.meridian.example', { exact: true }).waitFor()
    expect(await notes.count()).toBe(3)
    expect(await page.getByText('silent.example').count()).toBe(0)
    await notes.first().getByRole('button', { name: 'Allow requests', exact: true }).click()
    await expect.poll(() => paramsOf(screen, 'allowRequests')).toEqual([{ origin: 'https://app.meridian.example' }])
  }))

test('the account and network of the site in front are shown, and the selected account is offered to it', () =>
  on('home-site-account', async screen => {
    const { page } = screen
    const { state } = screens['home-site-account'] ?? {}
    const [trading, treasury, cold] = state?.accounts ?? []
    await button(page, 'Switch account, Treasury').waitFor()
    const uses: unknown[] = []
    for (const selected of [trading, cold, treasury]) {
      await page.evaluate(next => window.preview.push(next), { ...state, selected: selected?.address } as UiState)
      const use = button(page, `Use ${selected?.name} here`)
      if (selected === treasury) {
        await use.waitFor({ state: 'detached' })
        continue
      }
      await page.getByText('This site uses Treasury on Ethereum.', { exact: true }).waitFor()
      await use.click()
      uses.push({ origin: 'https://app.meridian.example', address: selected?.address })
      await expect.poll(() => paramsOf(screen, 'useAccount')).toEqual(uses)
    }
    expect(uses).toHaveLength(2)
    // The site now uses the wallet's choice, so the popup has nothing else to offer.
    expect(await button(page, 'Show the wallet’s own account and network').count()).toBe(0)
    await button(page, 'Use another account here').click()
    await page.getByRole('dialog', { name: 'Accounts', exact: true }).waitFor()
  }))

test("balance, activity and address belong to the site in front, or to the wallet's own choice", () =>
  on('home-site-place', async screen => {
    const { page } = screen
    const { state } = screens['home-site-place'] ?? {}
    const [trading, treasury] = state?.accounts.map(({ address }) => address) ?? []
    const entries = async () => {
      await page.getByRole('tab', { name: 'Activity', exact: true }).click()
      return page.getByRole('tabpanel').getByRole('listitem').getByRole('button').count()
    }
    const shows = async (address: string | undefined, chainId: number) => {
      await expect.poll(async () => (await paramsOf(screen, 'getBalance')).at(-1)).toEqual({ address, chainId })
      await expect.poll(async () => (await paramsOf(screen, 'getHoldings')).at(-1)).toEqual({ address, chainId })
    }
    await button(page, 'Switch account, Treasury').waitFor()
    await button(page, 'Switch network, Local chain').waitFor()
    await shows(treasury, 31_337)
    // The popup never read the balance of the account and network that the wallet itself has selected.
    expect(await paramsOf(screen, 'getBalance')).not.toContainEqual({ address: trading, chainId: 1 })
    expect(await entries()).toBe(1)

    await button(page, 'Show the wallet’s own account and network').click()
    await button(page, 'Switch account, Trading').waitFor()
    await button(page, 'Switch network, Ethereum').waitFor()
    await shows(trading, 1)
    expect(await entries()).toBe(2)
    await button(page, 'Switch account, Trading').click()
    await page.getByRole('option', { name: /^Cold storage/ }).click()
    await expect.poll(() => paramsOf(screen, 'selectAccount')).toHaveLength(1)

    await button(page, 'Show what this site uses').click()
    await shows(treasury, 31_337)
    await button(page, 'Receive').click()
    await page.getByText('Send only assets on Local chain to this address.').waitFor()
    expect(await paramsOf(screen, 'useAccount')).toEqual([])
  }))

test('an account and a network are chosen only for the site in front, and it can follow the wallet again', async () => {
  const origin = 'https://app.meridian.example'
  await on('home-site-networks', async screen => {
    const { page } = screen
    await page.getByText(/^Your choice applies to app\.meridian\.example only\./).waitFor()
    await page.getByRole('option', { name: /^Kaia/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Switch network, Local chain').click()
    await button(page, 'Same as wallet (Ethereum)').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await paramsOf(screen, 'setSiteNetwork')).toEqual([
      { origin, chainId: 8217 },
      { origin, chainId: null },
    ])
    expect(await paramsOf(screen, 'selectNetwork')).toEqual([])
  })
  await on('home-site-accounts', async screen => {
    const { page } = screen
    // The new account is listed, but it is not connected to the site automatically.
    await button(page, 'Add account').click()
    await page.getByLabel('Account name', { exact: true }).fill('Savings')
    await page.keyboard.press('Enter')
    const cold = page.getByRole('option', { name: /^Cold storage/ })
    await cold.getByText('Not connected', { exact: true }).waitFor()
    const trading = page.getByRole('option', { name: /^Trading/ })
    expect(await trading.getByText('Not connected').count()).toBe(0)
    expect(await paramsOf(screen, 'useAccount')).toEqual([])
    await cold.click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const address = '0xd95eDC425E87006B293431998dE7668dC7b44C65'
    expect(await paramsOf(screen, 'useAccount')).toMatchObject([{ address }])
    expect(await paramsOf(screen, 'selectAccount')).toEqual([])
  })
})

test("an open list closes when the site in front disconnects, and home shows the wallet's own choice", () =>
  on('home-site-accounts', async screen => {
    const { page } = screen
    const { state } = screens['home-site-accounts'] ?? {}
    await page.getByRole('option', { name: /^Cold storage/ }).waitFor()
    await page.evaluate(next => window.preview.push(next), { ...state, sites: [] } as unknown as UiState)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Switch account, Trading').waitFor()
    await page.getByText('Not connected to this site', { exact: true }).waitFor()
  }))

test('when the tab navigates to another site, home follows, but an open form keeps its account and network', () =>
  on('home-site-place', async screen => {
    const { page } = screen
    const { state } = screens['home-site-place'] ?? {}
    const treasury = state?.accounts[1]?.address
    const moveTo = async (origin: string | null) => {
      await page.evaluate(to => window.preview.answer('getActiveSite', { origin: to }), origin)
      await advance(page, LOOK_AGAIN)
    }
    await button(page, 'Switch account, Treasury').click()
    await page.getByRole('dialog').waitFor()
    await moveTo('https://other.example')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Switch account, Trading').waitFor()
    await moveTo('https://app.meridian.example')
    await button(page, 'Switch account, Treasury').waitFor()

    await button(page, 'Send').click()
    await page.getByLabel('Recipient', { exact: true }).fill('0xd95eDC425E87006B293431998dE7668dC7b44C65')
    await moveTo(null)
    const recipient = page.getByLabel('Recipient', { exact: true })
    expect(await recipient.inputValue()).toBe('0xd95eDC425E87006B293431998dE7668dC7b44C65')
    expect((await paramsOf(screen, 'getBalance')).at(-1)).toEqual({ address: treasury, chainId: 31_337 })
    await button(page, 'Back').click()
    await button(page, 'Switch account, Trading').waitFor()
  }))

test('a contact or an own account is found and chosen by keyboard', () =>
  on('send-recipient', async ({ page }) => {
    const recipient = page.getByLabel('Recipient', { exact: true })
    expect(await recipient.evaluate(input => input === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Treasury/)
    await page.keyboard.press('/')
    await page.keyboard.type('MIR')
    expect(await page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await recipient.inputValue()).toBe('0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6')
    const next = button(page, 'Continue')
    expect(await next.evaluate(element => element === document.activeElement)).toBe(true)
  }))

test('invalid addresses are rejected, by the page and by the background', async () => {
  await on('send-recipient', async ({ page }) => {
    await page.getByLabel('Recipient', { exact: true }).fill('0x12')
    await button(page, 'Continue').press('Enter')
    await page.getByRole('alert').getByText('This is neither an address nor an ENS name').waitFor()
  })
  await on('send-recipient-error', async ({ page }) => {
    await page.getByRole('alert').getByText('has a wrong EIP-55 checksum').waitFor()
    await button(page, 'Continue').click()
    expect(await page.getByLabel('Amount', { exact: true }).count()).toBe(0)
  })
})

test('a payment link fills in the amount, and is rejected for a token that is not listed', async () => {
  await on('send-payment', async ({ page }) => {
    await button(page, 'Continue').click()
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('0.25')
  })
  await on('send-payment-unknown', async ({ page }) => {
    await page.getByRole('alert').getByText('This link asks for a token that is not on your list').waitFor()
    expect(await page.getByLabel('Amount', { exact: true }).count()).toBe(0)
  })
})

test('a failed transfer is retried with the same id', () =>
  on('send-review', async screen => {
    const { page } = screen
    await advance(page, HOLD)
    await button(page, 'Send').click()
    await page.getByRole('alert').getByText('Cannot reach the Ethereum node').waitFor()
    await advance(page, HOLD)
    await button(page, 'Send').click()
    await expect.poll(() => paramsOf(screen, 'sendOwn')).toHaveLength(2)
    const [first, second] = await paramsOf(screen, 'sendOwn')
    expect(second).toEqual(first)
    expect(first).toMatchObject({
      from: ADDRESS,
      chainId: 1,
      to: '0xAF5ECcB315e1469640B5082fa8fd495993D8b591',
      token: null,
      amount: '0x6f05b59d3b20000',
      gas: '0x5208',
    })
  }))

test('the maximum is the balance minus the highest fee', () =>
  on('send-amount', async ({ page }) => {
    await page.getByText('Balance 3.8412').waitFor()
    await button(page, 'Max').click()
    await expect.poll(() => page.getByLabel('Amount', { exact: true }).inputValue()).toBe('3.840719')
    await page.getByLabel('Token, ETH', { exact: true }).selectOption({ index: 1 })
    expect(await button(page, 'Max').count()).toBe(0)
    await page.getByLabel('Amount', { exact: true }).fill('0.1234567')
    await page.getByRole('alert').getByText('An amount is a number with at most 6 decimals').waitFor()
    expect(await button(page, 'Continue').isDisabled()).toBe(true)
  }))

test('a draft transfer is resumed after the popup was closed, and deleted when it is cancelled', () =>
  on('send-draft', async screen => {
    const { page } = screen
    await expect.poll(() => page.getByLabel('Amount', { exact: true }).inputValue()).toBe('12.5')
    await page.getByLabel('Amount', { exact: true }).fill('13')
    await expect
      .poll(async () => (await paramsOf(screen, 'keepDraft')).at(-1))
      .toMatchObject({ form: 'send', draft: { amount: '13', step: '2' } })
    await button(page, 'Cancel').click()
    await button(page, 'Switch account, Trading').waitFor()
    expect((await paramsOf(screen, 'keepDraft')).at(-1)).toEqual({ form: 'send', draft: null })
  }))

test('an amount above the balance cannot be reviewed', () =>
  on('send-insufficient', async ({ page }) => {
    await page.getByRole('alert').getByText('You hold 3.8412\u00a0ETH. This is 1.158701 too much.').waitFor()
    expect(await button(page, 'Continue').isDisabled()).toBe(true)
    await button(page, 'Change').click()
    await page.getByLabel('Recipient', { exact: true }).waitFor()
  }))

test('without a node the last balances are shown with their age, and / focuses the token search', () =>
  on('home-tokens-stale', async ({ page }) => {
    await page.getByText('As of 14:02').waitFor()
    expect(await page.locator('.hero__amt').textContent()).toContain('3.8412')
    expect(await page.locator('.hero__amt').evaluate(element => element.classList.contains('stale'))).toBe(true)
    expect(await page.getByRole('listitem').filter({ hasText: 'TOKEN2' }).textContent()).toContain('0.1000')
  }))

test('without a node, home says so in one line, and one press leads to the choice of nodes', () =>
  on('home-no-node', async screen => {
    const { page } = screen
    await page.getByText('No node is chosen for Ethereum', { exact: true }).waitFor()
    expect(await page.locator('.hero__amt').count()).toBe(0)
    await button(page, 'Choose nodes').click()
    await page.getByRole('dialog', { name: 'Choose nodes', exact: true }).waitFor()
    await button(page, 'My own node').click()
    await page.getByRole('dialog', { name: 'Node for Ethereum', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Choose nodes').click()
    await button(page, 'Use public nodes').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await screen.calls()).filter(({ method }) => !READINGS.has(method))).toMatchObject([
      { method: 'usePublicNodes', params: null },
    ])
  }))

test('on a network that is not offered, the same press leads to its own list of nodes', () =>
  on('home-no-rpc', async ({ page }) => {
    await button(page, 'Choose nodes').click()
    await page.getByRole('dialog', { name: 'Node for Kaia', exact: true }).waitFor()
    await button(page, 'Use the node of Kaia').waitFor()
  }))

test('a balance that cannot be read is a dash with the reason, never a word in large type', () =>
  on('home-rpc-unreachable', async ({ page }) => {
    await page.getByText('Cannot reach the Ethereum node', { exact: true }).nth(1).waitFor()
    expect(await page.locator('.hero__amt').textContent()).toContain('—')
    expect(await page.locator('.hero__note').textContent()).toContain('Cannot reach the Ethereum node')
  }))

test('balances are refreshed, and / focuses the search of a long list', () =>
  on('home-tokens-many', async screen => {
    const { page } = screen
    await expect.poll(() => paramsOf(screen, 'getHoldings')).toHaveLength(1)
    await advance(page, 5_000)
    await expect.poll(() => paramsOf(screen, 'getHoldings')).toHaveLength(2)
    await expect.poll(() => paramsOf(screen, 'getBalance')).toHaveLength(2)
    await page.keyboard.press('/')
    await page.keyboard.type('token177')
    await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  }))

test('arrow keys select accounts', () =>
  on('home-site-account', async screen => {
    const { page } = screen
    await button(page, 'Switch account, Treasury').focus()
    await page.keyboard.press('Enter')
    const selected = page.getByRole('option', { name: /^Treasury/, selected: true })
    await selected.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => screen.calls())
      .toContainEqual(
        expect.objectContaining({
          method: 'useAccount',
          params: { origin: 'https://app.meridian.example', address: '0xd95eDC425E87006B293431998dE7668dC7b44C65' },
        }),
      )
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Switch account, Treasury')
  }))

test('a named account is added, and the wallet is locked', () =>
  on('home', async screen => {
    const { page } = screen
    await button(page, 'Switch account, Trading').click()
    await button(page, 'Add account').click()
    expect(await page.getByLabel('Account name', { exact: true }).inputValue()).toBe('Account 4')
    await page.getByLabel('Account name', { exact: true }).fill(' Savings ')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Switch account, Trading').click()
    await button(page, 'Lock').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const acts = (await screen.calls()).filter(({ method }) => !READINGS.has(method))
    expect(acts).toMatchObject([{ method: 'addAccount', params: { name: 'Savings' } }, { method: 'lock' }])
  }))

test('a network is selected, and its node set', () =>
  on('home-rpc-unreachable', async screen => {
    const { page } = screen
    await button(page, 'Switch network, Ethereum').click()
    await page.getByRole('option', { name: /^Local chain/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Use another node').click()
    await page.getByLabel('Node URL', { exact: true }).fill('http://127.0.0.1:9000')
    await button(page, 'Save').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await screen.calls()).filter(({ method }) => !READINGS.has(method))).toMatchObject([
      { method: 'selectNetwork', params: { chainId: 31337 } },
      { method: 'setRpcUrls', params: { chainId: 1, rpcUrls: ['http://127.0.0.1:9000'] } },
    ])
  }))

test("the active tab's site is listed first, and its settings apply only to it", () =>
  on('home-tokens', async ({ page, calls }) => {
    await button(page, 'Connected sites').click()
    const sites = page.getByRole('dialog', { name: 'Connected sites', exact: true })
    await sites.getByText('This tab', { exact: true }).waitFor()
    const [first] = await sites.getByRole('listitem').allTextContents()
    expect(first).toMatch(/^app\.meridian\.example\s*2 accounts\s*This tab/)
    await sites.getByRole('button', { name: /localhost:5173/ }).click()
    const site = page.getByRole('dialog', { name: 'Site', exact: true })
    expect(await site.getByRole('checkbox', { name: /^Appear as MetaMask/ }).isChecked()).toBe(true)
    expect(await site.getByLabel('Network', { exact: true }).inputValue()).toBe('31337')
    await site.getByRole('checkbox', { name: /^Prefer Heliograph/ }).check()
    await site.getByRole('checkbox', { name: 'Let this site read from your local node', exact: true }).check()
    await site.getByLabel('Network', { exact: true }).selectOption('')
    await site.getByRole('button', { name: 'Disconnect', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Disconnect http://localhost:5173?', exact: true })
    await question.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await sites.waitFor()
    const origin = 'http://localhost:5173'
    expect((await calls()).slice(-4).map(({ method, params }) => [method, params])).toEqual([
      ['setSiteChoice', { origin, asEthereum: true }],
      ['setSiteChoice', { origin, readsLocalNode: true }],
      ['setSiteNetwork', { origin, chainId: null }],
      ['disconnectSite', { origin }],
    ])
  }))

test('a network added by a site can be removed; a built-in one cannot', () =>
  on('home-added-network', async ({ page, calls }) => {
    await button(page, 'Switch network, Orbit Testnet').click()
    await button(page, 'Use another node').click()
    await button(page, 'Remove network').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await calls()).at(-1)).toMatchObject({ method: 'removeNetwork', params: { chainId: 88_120 } })
    const state = structuredClone(screens['home-added-network']?.state)
    if (!state) throw new Error('there is no such screen')
    await page.evaluate(next => window.preview.push(next), { ...state, chainId: 1 })
    await button(page, 'Switch network, Ethereum').click()
    await button(page, 'Use another node').click()
    await page.getByLabel('Node URL', { exact: true }).waitFor()
    expect(await button(page, 'Remove network').count()).toBe(0)
  }))

/** Returns the page's heading. */
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test("a token's page shows its amount, contract and explorer, and reads only its own activity", () =>
  on('token', async screen => {
    const { page } = screen
    await heading(page, 'USDC').waitFor()
    await page.getByText('1,250.00', { exact: false }).first().waitFor()
    expect(await page.locator('.addr').textContent()).toBe(USDC)
    const explorer = page.getByRole('link', { name: 'View on scan.example', exact: true })
    expect(await explorer.getAttribute('href')).toBe(`https://scan.example/address/${USDC}`)
    expect(await explorer.getAttribute('rel')).toBe('noreferrer')
    const rows = page.getByRole('list').getByRole('listitem')
    expect(await rows.getByRole('button', { name: /^Send/ }).count()).toBe(2)
    await rows.first().getByText('Pending', { exact: false }).waitFor()
    expect(await paramsOf(screen, 'getAllActivity')).toMatchObject([
      { filter: { account: ADDRESS, chainId: 1, asset: USDC, direction: null }, skip: 0 },
    ])
  }))

test('a received transfer shows its amount, sender, contract and transaction, and returns the focus to its row', () =>
  on('home-arrivals', async ({ page }) => {
    const row = page.getByRole('button', { name: /^Received 250.USDC/ })
    await row.press('Enter')
    await heading(page, 'Received 250\u00a0USDC').waitFor()
    const fact = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').textContent()
    expect(await fact('Amount')).toBe('250\u00a0USDC')
    expect(await fact('Contract')).toBe(USDC)
    expect(await fact('Block')).toBe('20123456')
    const explorer = page.getByRole('link', { name: 'View on scan.example', exact: true })
    expect(await explorer.getAttribute('href')).toMatch(/^https:\/\/scan\.example\/tx\/0x/)
    await button(page, 'Copy hash').waitFor()
    expect(await page.getByText('This token is not in your list', { exact: false }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toMatch(/^Received 250/)
  }))

test('received coins without a known transaction say that the sender is unknown, and have no hash', () =>
  on('received-coins', async ({ page }) => {
    await heading(page, 'Received 0.5\u00a0ETH').waitFor()
    await page.getByText(/^Unknown\. The coins came from a contract/).waitFor()
    expect(await button(page, 'Copy hash').count()).toBe(0)
    expect(await page.getByRole('link').count()).toBe(0)
    expect(
      await page
        .locator('dl > div')
        .filter({ hasText: /Block|Contract/ })
        .count(),
    ).toBe(0)
  }))

test('a transfer of an unlisted token says so, and names what its sender imitates', () =>
  on('token-received-hostile', async ({ page }) => {
    await page.getByText('This token is not in your list', { exact: false }).waitFor()
    await page.getByText('Imitates an address you know.', { exact: true }).waitFor()
    await page.getByText(/^This is not Mira\./).waitFor()
    expect(await page.locator('.addr mark').count()).toBeGreaterThan(0)
  }))

test("the currency's page has no contract, and cannot be hidden", () =>
  on('token-coin', async screen => {
    const { page } = screen
    await heading(page, 'ETH').waitFor()
    await page.getByText('3.8412', { exact: false }).first().waitFor()
    expect(await page.locator('.addr').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Hide|contract/ }).count()).toBe(0)
    expect(await paramsOf(screen, 'getAllActivity')).toMatchObject([{ filter: { asset: null } }])
  }))

test('by keyboard, each screen returns the focus to the row from which it was opened', () =>
  on('token', async ({ page }) => {
    await page.getByRole('button', { name: /^Send 1\.5.USDC/ }).press('Enter')
    await button(page, 'Copy hash').waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'USDC').waitFor()
    await expect.poll(() => focused(page)).toMatch(/^Send 1\.5.USDC/)
    await page.keyboard.press('Escape')
    await button(page, 'Switch account, Trading').waitFor()
    await expect.poll(() => focused(page)).toMatch(/^USDC/)
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => focused(page)).toMatch(/^ETH/)
    await page.keyboard.press('Enter')
    await heading(page, 'ETH').waitFor()
    await button(page, 'Back').click()
    await expect.poll(() => focused(page)).toMatch(/^ETH/)
  }))

test('searching a long list after a visit to a token keeps the focus in the search', () =>
  on('home-tokens-many', async ({ page }) => {
    await page.getByRole('button', { name: /^TOKEN150/ }).click()
    await heading(page, 'TOKEN150').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toMatch(/^TOKEN150/)
    expect(await page.getByRole('button', { name: /^TOKEN150/ }).isVisible()).toBe(true)
    const search = page.getByLabel('Search tokens', { exact: true })
    await search.fill('TOKEN7')
    await page.getByRole('button', { name: /^TOKEN150/ }).waitFor({ state: 'detached' })
    await search.fill('')
    await page.getByRole('button', { name: /^TOKEN150/ }).waitFor()
    expect(await search.evaluate(field => field === document.activeElement)).toBe(true)
  }))

test('Send starts with the token of the page, and Send and Receive lead back to it', () =>
  on('token-send', async ({ page }) => {
    await page.getByLabel('Token, MERI', { exact: true }).waitFor()
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    await heading(page, 'MERI').waitFor()
    await button(page, 'Receive').click()
    await page.getByRole('img', { name: 'QR code of the address', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'MERI').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Send').click()
    await page.getByLabel('Recipient', { exact: true }).fill('0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6')
    await button(page, 'Continue').click()
    await page.getByLabel('Token, ETH', { exact: true }).waitFor()
  }))

test('a hidden token leads home, and so does a token that is removed elsewhere', () =>
  on('token', async screen => {
    const { page } = screen
    const { state } = screens.token ?? {}
    await button(page, 'Hide USDC').click()
    await button(page, 'Switch account, Trading').waitFor()
    expect(await paramsOf(screen, 'hideToken')).toEqual([{ token: USDC, address: ADDRESS, chainId: 1 }])
    await page.getByRole('button', { name: /^MERI/ }).click()
    await heading(page, 'MERI').waitFor()
    await page.evaluate(next => window.preview.push(next), { ...state, assets: [] } as unknown as UiState)
    await button(page, 'Switch account, Trading').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  }))

test('the activity of a token is read again when a transaction is confirmed, and further on demand', () =>
  on('token-long', async screen => {
    const { page } = screen
    const { state } = screens['token-long'] ?? {}
    await button(page, 'Show all').click()
    await expect.poll(() => paramsOf(screen, 'getAllActivity')).toMatchObject([{ skip: 0 }, { skip: 5 }])
    const { activity = [] } = screens['activity-pending']?.state ?? {}
    await page.evaluate(next => window.preview.push(next), { ...state, activity } as UiState)
    await expect.poll(() => paramsOf(screen, 'getAllActivity')).toMatchObject([{ skip: 0 }, { skip: 5 }, { skip: 0 }])
  }))

test("each account's balance is read with one call, and a failed read can be retried", () =>
  on('home-accounts', async screen => {
    const { page } = screen
    const balances = async () =>
      (await page.getByRole('option').allTextContents()).map(text => / ([\d.,<]+\sETH|Unknown)$/.exec(text.trim())?.[1])
    expect(await balances()).toEqual(['3.8412 ETH', '120.5000 ETH', '0 ETH', '<0.0001 ETH', 'Unknown'])
    expect(await paramsOf(screen, 'getCoinBalances')).toEqual([{ chainId: 1 }])
    // A new order reads nothing again; a new node does.
    await page.getByRole('option', { name: /^Trading/ }).press('Alt+ArrowDown')
    await expect.poll(() => paramsOf(screen, 'moveAccount')).toHaveLength(1)
    expect(await paramsOf(screen, 'getCoinBalances')).toHaveLength(1)
  }))

test('unread balances are said once, beside a button that reads them again', () =>
  on('home-accounts-failed', async screen => {
    const { page } = screen
    await page
      .getByRole('status')
      .getByText(/^The node of Ethereum did not respond/)
      .waitFor()
    expect(await page.getByRole('option').allTextContents()).not.toContainEqual(expect.stringMatching(/ETH|Unknown/))
    await page.evaluate(address => window.preview.answer('getCoinBalances', [{ address, wei: '0x0' }]), ADDRESS)
    await button(page, 'Retry').click()
    await page.getByRole('option', { name: /^Trading.*0.ETH$/ }).waitFor()
    await page.getByText(/^The node of Ethereum did not respond/).waitFor({ state: 'detached' })
  }))

test('without a node no balance is read', () =>
  on('home-accounts-no-node', async screen => {
    await screen.page.getByRole('option', { name: /^Treasury/ }).waitFor()
    expect(await paramsOf(screen, 'getCoinBalances')).toEqual([])
  }))

test('Alt and an arrow key move an account, which keeps the focus and is announced', () =>
  on('home-accounts', async screen => {
    const { page } = screen
    const trading = page.getByRole('option', { name: /^Trading/ })
    const names = async () =>
      (await page.getByRole('option').allTextContents()).map(text => text.trim().split(/0x|\s|Watch/)[0])
    await trading.press('Alt+ArrowUp')
    expect(await names()).toEqual(['Trading', 'Treasury', 'Cold', 'Imported', 'Mira'])
    for (const to of [1, 2]) {
      await page.keyboard.press('Alt+ArrowDown')
      await page
        .getByRole('status')
        .getByText(`Trading is now number ${to + 1} of 5.`, { exact: true })
        .waitFor()
      expect(await trading.evaluate(option => option === document.activeElement)).toBe(true)
    }
    expect(await names()).toEqual(['Treasury', 'Cold', 'Trading', 'Imported', 'Mira'])
    expect(await paramsOf(screen, 'moveAccount')).toEqual([1, 2].map(to => ({ address: ADDRESS, to })))
    expect(await trading.getAttribute('aria-selected')).toBe('true')
    // Without Alt, the arrow keys only move the focus.
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toMatch(/^Imported 1/)
    expect(await paramsOf(screen, 'moveAccount')).toHaveLength(2)
  }))

test('an account is dragged by its handle, Esc gives up the drag, and a searched list has no handles', () =>
  on('home-accounts', async screen => {
    const { page } = screen
    const handles = page.getByTitle(/^To change the order, drag here/)
    const centre = async (at: number) => {
      const box = await handles.nth(at).boundingBox()
      if (!box) throw new Error('there is no handle')
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    const drag = async (from: number, to: number) => {
      const [start, end] = [await centre(from), await centre(to)]
      await page.mouse.move(start.x, start.y)
      await page.mouse.down()
      await page.mouse.move(end.x, end.y, { steps: 4 })
    }
    await drag(0, 2)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await paramsOf(screen, 'moveAccount')).toEqual([])
    await page.getByRole('dialog', { name: 'Accounts', exact: true }).waitFor()

    await drag(0, 2)
    await page.mouse.up()
    await drag(3, 0)
    await page.mouse.up()
    await expect.poll(() => paramsOf(screen, 'moveAccount')).toMatchObject([{ address: ADDRESS, to: 2 }, { to: 0 }])
    await page.getByRole('option').first().getByText('Imported 1', { exact: true }).waitFor()
    // Neither a drag nor a press on a handle selects an account.
    await handles.first().click()
    expect(await paramsOf(screen, 'selectAccount')).toEqual([])

    await page.getByLabel('Search accounts', { exact: true }).fill('o')
    expect(await handles.count()).toBe(0)
    await page.getByRole('option').first().press('Alt+ArrowDown')
    expect(await paramsOf(screen, 'moveAccount')).toHaveLength(2)
  }))

test("a listed network has its mark; a network that a site described has a letter, even under a known network's chain id", () =>
  on('home-networks-listed', async ({ page }) => {
    const options = page.getByRole('option')
    await expect.poll(() => options.locator('.net > svg').count()).toBe(4)
    const imitation = page.getByRole('option', { name: /^Ethereum.*Chain 10\b/ })
    expect(await imitation.locator('.net > svg').count()).toBe(0)
    expect(await imitation.locator('.net').getAttribute('data-letter')).toBe('E')
    // The accessible name is the network's name.
    await page.getByRole('option', { name: /^Polygon\s*Chain 137/ }).waitFor()
  }))

test('after the last found token is shown, the focus is on the tokens, not on the whole page', () =>
  on('home-found-last', async ({ page }) => {
    await page.evaluate(() => window.preview.answer('getFoundTokens', { tokens: [], search: null }))
    await button(page, 'Show STRAY').press('Enter')
    await button(page, '1 unverified token hidden').waitFor({ state: 'detached' })
    const panel = page.getByRole('tabpanel')
    await expect.poll(() => panel.evaluate(element => element === document.activeElement)).toBe(true)
  }))
