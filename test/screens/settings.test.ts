/** Behaviour of the settings, mostly with the keyboard. Elements are found by role and name. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { advance } from './browser.ts'
import { screens } from './fixtures.ts'
import { button, HOLD, on, PASSWORD, paramsOf } from './on-screen.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('sections are links, the current one is marked, and its heading has focus', () =>
  on('settings-about', async ({ page }) => {
    for (const name of ['Contacts', 'Networks', 'Connected sites', 'Allowances', 'Security', 'About', 'Accounts']) {
      await page
        .getByRole('navigation', { name: 'Settings', exact: true })
        .getByRole('link', { name, exact: true })
        .focus()
      await page.keyboard.press('Enter')
      await heading(page, name).waitFor()
      expect(await heading(page, name).evaluate(element => element === document.activeElement)).toBe(true)
    }
    await page.goBack()
    await heading(page, 'About').waitFor()
  }))

test('? shows the keyboard shortcuts, Esc closes them; in a field it types a question mark', () =>
  on('settings-sites', async ({ page }) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('lo?')
    await expect.poll(() => page.getByLabel('Filter sites', { exact: true }).inputValue()).toBe('lo?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  }))

test('sites are filtered, configured, and disconnected one by one or all', () =>
  on('settings-sites', async screen => {
    const { page } = screen
    await page.keyboard.press('/')
    await page.keyboard.type('MERID')
    await page.getByText('1 site', { exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await button(page, 'Settings of app.meridian.example').click()
    const site = page.getByRole('dialog', { name: 'Site', exact: true })
    await site.getByRole('checkbox', { name: /^Appear as MetaMask/ }).check()
    await page.keyboard.press('Escape')
    await button(page, 'Disconnect app.meridian.example').click()
    await button(page, 'Disconnect').click()
    await button(page, 'Disconnect all').click()
    await expect.poll(() => paramsOf(screen, 'disconnectSite')).toHaveLength(4)
    expect(await paramsOf(screen, 'setSiteChoice')).toMatchObject([
      { origin: 'https://app.meridian.example', asMetaMask: true },
    ])
  }))

test('a network is added by hand with the chain ID of its node, and every field is sent', () =>
  on('settings-network-new', async screen => {
    const { page } = screen
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await page.getByLabel('Node URL', { exact: true }).fill('https://rpc.orbit.example')
    await button(page, 'Test').click()
    await page.getByText(/^Reachable, \d+ ms, block 201,902,454$/).waitFor()
    expect(await page.getByLabel('Chain ID', { exact: true }).inputValue()).toBe('8217')
    // The URL has changed, so it has no test result yet.
    await page.getByLabel('Node URL', { exact: true }).fill('https://other.orbit.example')
    expect(await page.getByText(/^Reachable/).count()).toBe(0)
    await page.getByLabel('Node URL', { exact: true }).fill('https://rpc.orbit.example')
    await page.getByLabel('Name', { exact: true }).fill('Orbit')
    await page.getByLabel('Currency symbol', { exact: true }).fill('OTT')
    await page.getByLabel('Block explorer', { exact: true }).fill('https://scan.orbit.example')
    await page.getByLabel('Method prefix', { exact: true }).fill('orbit')
    await page.getByLabel('Signed-message network name', { exact: true }).fill('Orbit')
    expect(await page.getByText('\\x19Orbit Signed Message:\\n<length>').count()).toBe(1)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => paramsOf(screen, 'saveNetwork'))
      .toEqual([
        {
          chainId: 8217,
          title: 'Orbit',
          symbol: 'OTT',
          rpcUrls: ['https://rpc.orbit.example'],
          explorerUrl: 'https://scan.orbit.example',
          prefix: 'orbit',
          signedMessageName: 'Orbit',
          testnet: false,
        },
      ])
  }))

test('only the nodes of a built-in network can be changed, and a rejected URL stays in its field', () =>
  on('settings-network-error', async screen => {
    const { page } = screen
    const url = page.getByLabel('Node URL', { exact: true })
    expect(await url.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('alert').getByText('This node reports chain 1, not 8217. Nothing was saved.').waitFor()
    expect(await url.inputValue()).toBe('https://rpc.home.example/kaia')
    expect(await button(page, 'Save').count()).toBe(0)
    expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(false)
    expect(await button(page, 'Remove network').count()).toBe(0)
    expect(await paramsOf(screen, 'setRpcUrls')).toEqual([
      { chainId: 8217, rpcUrls: ['https://rpc.home.example/kaia'] },
    ])
  }))

test('nodes are reordered and removed, and public nodes added, each with one call', () =>
  on('settings-network-nodes', async screen => {
    const { page } = screen
    await page
      .getByText(/^Reachable, \d+ ms, block 201,902,454$/)
      .first()
      .waitFor()
    expect(await page.getByText('Tried first', { exact: true }).count()).toBe(1)
    const [home, open, long] = (await screen.calls())
      .filter(({ method }) => method === 'probeRpc')
      .map(({ params }) => (params as { rpcUrl: string }).rpcUrl)
    await button(page, 'Try first: public.kaia.example').click()
    await button(page, 'Remove rpc.home.example').click()
    await expect
      .poll(() => paramsOf(screen, 'setRpcUrls'))
      .toEqual([
        { chainId: 8217, rpcUrls: [open, home, long] },
        { chainId: 8217, rpcUrls: [open, long] },
      ])
    expect(await button(page, 'Use the node of Kaia').count()).toBe(0)
    await page.getByRole('button', { name: /^Use the node of Open Nodes/ }).click()
    await expect.poll(() => paramsOf(screen, 'setRpcUrls')).toHaveLength(3)
  }))

test('a network of the catalogue is found by its name, and added without contacting a node', () =>
  on('settings-network-catalogue', async screen => {
    const { page } = screen
    await page.getByLabel('Search networks', { exact: true }).fill('base')
    expect(await page.getByRole('button', { name: /^Add Base/ }).count()).toBe(2)
    expect(await button(page, 'Add Kaia').count()).toBe(0)
    expect(await paramsOf(screen, 'probeRpc')).toEqual([])
    await button(page, 'Add Base Sepolia').click()
    await expect.poll(() => paramsOf(screen, 'addListedNetwork')).toEqual([{ chainId: 84_532 }])
  }))

test('networks are sorted, shown again and searched', () =>
  on('settings-networks-many', async screen => {
    const { page } = screen
    expect(await page.getByRole('link', { name: /Ethereum|Kaia|Local/ }).allInnerTexts()).toHaveLength(3)
    await page.getByLabel('Sort by', { exact: true }).selectOption('chainId')
    await button(page, 'Show network').click()
    await expect.poll(() => paramsOf(screen, 'setNetworkHidden')).toEqual([{ chainId: 88_120, hidden: false }])
    expect(await paramsOf(screen, 'setNetworkOrder')).toEqual([{ order: 'chainId' }])
    await page.getByLabel('Search networks', { exact: true }).fill('kaia')
    expect(await page.getByRole('link', { name: /chain \d|Chain \d/ }).count()).toBe(1)
  }))

test('an added network can be removed', () =>
  on('settings-network-added', async screen => {
    await button(screen.page, 'Remove network').click()
    await expect.poll(() => paramsOf(screen, 'removeNetwork')).toEqual([{ chainId: 88_120 }])
  }))

test('an interface is added for one contract or for any, and errors are shown at their field', () =>
  on('settings-interfaces-empty', async screen => {
    const { page } = screen
    const abi = '[{"type":"function","name":"stake"}]'
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
    expect(await button(page, 'Add interface').isDisabled()).toBe(true)
    await fill('Name', ' Vault ')
    await fill('Contract address', ' 0x253d832c2719B1f7078A453d5a35a1a509C2ED81')
    await fill('ABI (JSON)', abi)
    await page.getByLabel('Contract address', { exact: true }).press('Enter')
    await page.getByRole('status').getByText('Interface added.', { exact: true }).waitFor()
    expect(await page.getByLabel('ABI (JSON)', { exact: true }).inputValue()).toBe('')
    await fill('Name', 'Any')
    await page.getByRole('checkbox', { name: 'Use it for any contract', exact: true }).check()
    await fill('ABI (JSON)', abi)
    await button(page, 'Add interface').click()
    await expect
      .poll(() => paramsOf(screen, 'addInterface'))
      .toEqual([
        { name: 'Vault', place: { chainId: 1, address: '0x253d832c2719B1f7078A453d5a35a1a509C2ED81' }, abi },
        { name: 'Any', place: null, abi },
      ])
  }))

test('an ABI is read from a file, and says which functions were left out', () =>
  on('settings-interfaces', async screen => {
    const { page } = screen
    const abi = '[{"type":"function","name":"stake"}]'
    await page
      .getByLabel('Choose an ABI file', { exact: true })
      .setInputFiles({ name: 'Vault.json', mimeType: 'application/json', buffer: Buffer.from(`\ufeff${abi}`) })
    await expect.poll(() => page.getByLabel('ABI (JSON)', { exact: true }).inputValue()).toBe(abi)
    await page.getByLabel('Name', { exact: true }).fill('Vault')
    await page.getByRole('checkbox', { name: 'Use it for any contract', exact: true }).check()
    await button(page, 'Add interface').click()
    await page
      .getByRole('status')
      .getByText(/could not be read: .*2.*Set storage/)
      .waitFor()
  }))

test('an interface is viewed and removed', () =>
  on('settings-interfaces-wrong', async screen => {
    const { page } = screen
    expect(await page.getByLabel('ABI (JSON)', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.getByText('121 functions', { exact: true }).click()
    await button(page, 'Show 50 more').click()
    await page.getByText('f98(uint256 amount)', { exact: true }).waitFor()
    await button(page, `Remove ${'Long name '.repeat(5).trim()}`).click()
    await expect.poll(() => paramsOf(screen, 'removeInterface')).toEqual([{ id: '0x03' }])
  }))

test('the chosen payer removes a delegation for the shown fee', () =>
  on('settings-end-delegation', async screen => {
    const { page } = screen
    await page.getByText(/^0\.000102\sETH · at most/).waitFor()
    await page.getByLabel('Paid by', { exact: true }).selectOption('0xAF5ECcB315e1469640B5082fa8fd495993D8b591')
    await expect.poll(() => paramsOf(screen, 'reviewRemoval')).toHaveLength(2)
    const end = page.getByRole('dialog').getByRole('button', { name: 'End delegation', exact: true })
    await advance(page, HOLD)
    await end.click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByText('Revocation sent. It takes effect when the transaction is confirmed.', { exact: true })
      .waitFor()
    expect(await paramsOf(screen, 'removeDelegation')).toMatchObject([
      {
        address: '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408',
        payer: '0xAF5ECcB315e1469640B5082fa8fd495993D8b591',
        chainId: 1,
        fees: { maxFeePerGas: '0x77359400' },
      },
    ])
  }))

test('a payer without enough funds is reported, and nothing can be sent', () =>
  on('settings-end-delegation-poor', async ({ page }) => {
    await page.getByRole('dialog').getByRole('alert').waitFor()
    const end = page.getByRole('dialog').getByRole('button', { name: 'End delegation', exact: true })
    expect(await end.isDisabled()).toBe(true)
  }))

test('lock time and theme apply at once, and the theme is kept', () =>
  on('settings-security', async screen => {
    const { page } = screen
    await page.getByLabel('Auto-lock', { exact: true }).selectOption('5 minutes')
    expect(await paramsOf(screen, 'setAutoLock')).toEqual([{ minutes: 5 }])
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.getByLabel('Theme', { exact: true }).selectOption('Night')
    expect(await theme()).toBe('dark')
    await page.reload()
    await page.getByLabel('Theme', { exact: true }).waitFor()
    expect(await theme()).toBe('dark')
    await page.getByLabel('Theme', { exact: true }).selectOption('System')
    expect(await theme()).toBeUndefined()
  }))

test('the safety settings are switched at once, by keyboard', () =>
  on('settings-security', async screen => {
    const { page } = screen
    const asks = page.getByRole('switch', { name: 'Ask for the password before every transaction', exact: true })
    const allows = page.getByRole('switch', { name: 'Allow signing data that cannot be read', exact: true })
    const foreign = page.getByRole('switch', { name: 'Allow sign-ins to other sites', exact: true })
    expect([await asks.isChecked(), await allows.isChecked(), await foreign.isChecked()]).toEqual([false, true, false])
    for (const one of [asks, allows, foreign]) {
      await one.focus()
      await page.keyboard.press('Space')
    }
    expect(await paramsOf(screen, 'setSafety')).toEqual([
      { asksPassword: true },
      { allowsUnreadable: false },
      { allowsForeignSignIn: true },
    ])
    // The switches still show the old values, because the background has not confirmed the changes.
    expect([await asks.isChecked(), await allows.isChecked()]).toEqual([false, true])
  }))

test('an account is renamed, hidden, shown and selected', () =>
  on('settings-accounts', async screen => {
    const { page } = screen
    await page.getByLabel('Account name', { exact: true }).fill(' Till ')
    await page.keyboard.press('Enter')
    await button(page, 'Hide account').click()
    await page.getByRole('link', { name: /^Treasury 0xA0b8/ }).click()
    await button(page, 'Show account').click()
    await page.getByRole('link', { name: /^Mira/ }).click()
    await page.getByText('Its key is not in this wallet, so it cannot sign').waitFor()
    expect(await button(page, 'Reveal private key').count()).toBe(0)
    await button(page, 'Use this account').click()
    await expect.poll(() => paramsOf(screen, 'selectAccount')).toHaveLength(1)
    expect(await paramsOf(screen, 'renameAccount')).toMatchObject([{ name: 'Till' }])
    expect(await paramsOf(screen, 'hideAccount')).toEqual([{ address: '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408' }])
    expect(await paramsOf(screen, 'showAccount')).toEqual([{ address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }])
  }))

test('a contact is added, renamed and removed', async () => {
  await on('settings-contacts-empty', async screen => {
    const { page } = screen
    const save = button(page, 'Save')
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel('Address', { exact: true }).fill('0x12')
    await page.getByLabel('Name', { exact: true }).fill('Mira')
    await save.click()
    await page.getByRole('alert').getByText('This is neither an address nor an ENS name').waitFor()
    expect(await paramsOf(screen, 'saveContact')).toEqual([])
  })
  await on('settings-contacts-long', async screen => {
    const { page } = screen
    const save = button(page, 'Save')
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: /^I understand/ }).check()
    await save.click()
    await expect.poll(() => paramsOf(screen, 'saveContact')).toMatchObject([{ name: 'Mira' }])
  })
  await on('settings-contacts', async screen => {
    const { page } = screen
    await page.getByRole('link', { name: /^Quill/ }).press('Enter')
    const name = page.getByLabel('Name', { exact: true })
    await expect.poll(() => name.inputValue()).toBe('Quill')
    await name.fill('Quill Events')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await button(page, 'Remove contact').click()
    await expect.poll(() => paramsOf(screen, 'removeContact')).toHaveLength(1)
    expect(await paramsOf(screen, 'saveContact')).toEqual([
      { address: '0x253d832c2719B1f7078A453d5a35a1a509C2ED81', name: 'Quill Events' },
    ])
  })
})

test('an allowance is found, reviewed and revoked, but not by a first press; its status is shown', () =>
  on('settings-allowances', async screen => {
    const { page } = screen
    await page
      .getByRole('row', { name: /Mira/ })
      .getByRole('button', { name: 'Revoke allowance of USDC', exact: true })
      .press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Revoke allowance', exact: true })
    const revoke = dialog.getByRole('button', { name: 'Revoke', exact: true })
    await dialog.getByText('Revoke allowance for USDC', { exact: true }).waitFor()
    await revoke.click({ force: true })
    expect(await paramsOf(screen, 'revokeAllowance')).toEqual([])
    await advance(page, 600)
    await revoke.click()
    await dialog.waitFor({ state: 'detached' })
    const [sent] = await paramsOf(screen, 'revokeAllowance')
    expect(sent).toMatchObject({
      kind: 'erc20',
      token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      spender: '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6',
      item: null,
      gas: '0x5208',
      fees: { gasPrice: '0x66' },
    })
    const state = structuredClone(screens['settings-allowances']?.state)
    const did = structuredClone(screens['activity-pending']?.state.activity[0])
    if (!state || !did) throw new Error('there is no such screen')
    const push = (status: 'pending' | 'confirmed') =>
      page.evaluate(next => window.preview.push(next), {
        ...state,
        activity: [{ ...did, hash: `0x${'7'.repeat(64)}`, status }],
      })
    await push('pending')
    await page.getByRole('row', { name: /Mira/ }).getByText('Pending', { exact: true }).waitFor()
    await push('confirmed')
    await page.getByRole('row', { name: /Mira/ }).getByText('Revoked', { exact: true }).waitFor()
  }))

test('the search for allowances can be stopped and continued', async () => {
  await on('settings-allowances-loading', async screen => {
    await button(screen.page, 'Cancel').click()
    await expect.poll(() => paramsOf(screen, 'cancelTask')).toHaveLength(1)
  })
  await on('settings-allowances-many', async screen => {
    const { page } = screen
    expect(await page.getByRole('row').count()).toBe(51)
    await button(page, 'Search further').click()
    await expect
      .poll(() => paramsOf(screen, 'findAllowances'))
      .toEqual([
        { address: '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408', chainId: 1 },
        { address: '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408', chainId: 1, before: 19_400_000 },
      ])
  })
})

test('a draft is restored, and deleted when the form is saved', () =>
  on('settings-contact-draft', async screen => {
    const { page } = screen
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mir')
    await page.getByLabel('Name', { exact: true }).fill('Mira')
    await button(page, 'Save').click()
    await expect.poll(() => paramsOf(screen, 'saveContact')).toHaveLength(1)
    const kept = await paramsOf(screen, 'keepDraft')
    expect(kept).toContainEqual({
      form: 'addContact',
      draft: { address: '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6', name: 'Mira' },
    })
    expect(kept).toContainEqual({ form: 'addContact', draft: null })
  }))

test('the search for used accounts shows progress and can be stopped', () =>
  on('settings-discover', async screen => {
    const { page } = screen
    const bar = page.getByRole('progressbar', { name: 'Looking for used accounts', exact: true })
    expect(await bar.getAttribute('aria-valuenow')).toBe('40')
    await page.getByLabel('Name of the new account', { exact: true }).fill('Typed meanwhile')
    await button(page, 'Cancel').click()
    await expect.poll(() => paramsOf(screen, 'cancelTask')).toHaveLength(1)
  }))

test('a keystore is exported with its own password, and the export can be stopped', () =>
  on('settings-export', async screen => {
    const { page } = screen
    const dialog = page.getByRole('dialog', { name: 'Export keystore file', exact: true })
    await dialog.getByRole('button', { name: 'Export keystore file', exact: true }).click()
    const bar = page.getByRole('progressbar', { name: 'Encrypting the key', exact: true })
    expect(await bar.getAttribute('aria-valuenow')).toBe('30')
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect.poll(() => paramsOf(screen, 'cancelTask')).toHaveLength(1)
    expect(await paramsOf(screen, 'exportKeystore')).toMatchObject([
      { password: PASSWORD, keystorePassword: 'not your usual lamp' },
    ])
  }))

test('a watch-only account is added', () =>
  on('settings-add-account', async screen => {
    const { page } = screen
    await page.getByLabel('Address', { exact: true }).fill(' 0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6 ')
    await page.getByLabel('Name', { exact: true }).fill('Mira')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => paramsOf(screen, 'addWatchOnly'))
      .toEqual([{ address: '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6', name: 'Mira' }])
  }))

test('a found token is shown on demand, an imitation is marked, and / focuses the search', () =>
  on('settings-tokens', async screen => {
    const { page } = screen
    const account = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
    await page.getByText('Looks like USDC, but it is a different contract.').waitFor()
    await button(page, 'Show CATS').click()
    await expect.poll(() => paramsOf(screen, 'showToken')).toHaveLength(1)
    expect((await paramsOf(screen, 'showToken'))[0]).toMatchObject({ address: account, chainId: 1 })
    await page.keyboard.press('/')
    await page.keyboard.type('cats')
    await expect.poll(() => button(page, 'Hide USDC').count()).toBe(0)
    expect(await button(page, 'Show CATS').count()).toBe(1)
  }))

test('a search for tokens shows progress and can be stopped', () =>
  on('settings-tokens-searching', async screen => {
    expect(await screen.page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('38')
    await button(screen.page, 'Cancel').click()
    expect(await paramsOf(screen, 'cancelTask')).toHaveLength(1)
  }))

test('a token with an unusable name is added under a chosen name', () =>
  on('settings-tokens-add', async screen => {
    const { page } = screen
    await page.getByLabel('Symbol', { exact: true }).fill(' PRIZE ')
    await page.getByRole('button', { name: /^Show Visit/ }).click()
    await expect.poll(() => paramsOf(screen, 'showToken')).toHaveLength(1)
    expect((await paramsOf(screen, 'showToken'))[0]).toMatchObject({ symbol: 'PRIZE' })
    await expect.poll(() => page.getByLabel('Token contract', { exact: true }).inputValue()).toBe('')
  }))
