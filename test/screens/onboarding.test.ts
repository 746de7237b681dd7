/** Behaviour of the onboarding screens. Elements are found by role and name. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OpenScreen } from './browser.ts'
import { words } from './fixtures/words.ts'
import { button, choosePassword, focused, on, PHRASE, paramsOf } from './on-screen.ts'

/** Returns the calls of a screen, except the call that reads the offer of public nodes. */
const actsOf = async ({ calls }: OpenScreen) =>
  (await calls()).filter(({ method }) => method !== 'getPublicNodes').map(({ method, params }) => ({ method, params }))

test('going back to the password keeps the phrase; the button shows that the vault is being created', () =>
  on('create-slow', async screen => {
    const { page } = screen
    await button(page, 'Create wallet').click()
    await choosePassword(page)
    await button(page, 'Continue').click()
    await button(page, 'Back').click()
    await choosePassword(page)
    await button(page, 'Continue').click()
    await button(page, 'Reveal phrase').click()
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await button(page, 'Reveal phrase').click()
    expect((await screen.calls()).filter(({ method }) => method === 'newPhrase')).toHaveLength(1)
    await page.getByRole('checkbox').check()
    await button(page, 'Continue').click()
    for (const field of await page.getByLabel(/^Word \d+$/).all()) {
      const label = await field.evaluate(input =>
        input instanceof HTMLInputElement ? input.labels?.[0]?.textContent : '',
      )
      await field.fill(PHRASE.split(' ')[Number(label?.replace(/\D/g, '')) - 1] ?? '')
    }
    await button(page, 'Confirm phrase').click()
    await page.getByRole('progressbar').waitFor()
    expect(await button(page, 'Back').isDisabled()).toBe(true)
    expect(await button(page, 'Confirm phrase').getAttribute('aria-busy')).toBe('true')
  }))

test('nodes are set after the wallet is created: no node is contacted before, and input is kept', () =>
  on('set-up-networks', async screen => {
    const { page } = screen
    const kaia = page.getByRole('group', { name: 'Kaia', exact: true })
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(1)
    expect(await actsOf(screen)).toEqual([])
    await kaia.getByLabel('Node URL', { exact: true }).fill(' https://rpc.home.example/kaia ')
    await kaia.getByRole('radio', { name: 'Start here', exact: true }).check()
    expect(await actsOf(screen)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your wallet is ready', exact: true }).waitFor()
    expect(await actsOf(screen)).toEqual([
      { method: 'setRpcUrls', params: { chainId: 8217, rpcUrls: ['https://rpc.home.example/kaia'] } },
      { method: 'selectNetwork', params: { chainId: 8217 } },
    ])
  }))

test('public nodes are offered with their operators and what these see, and contacted only after the press', () =>
  on('set-up-nodes', async screen => {
    const { page } = screen
    const offer = page.getByRole('region', { name: 'Public nodes', exact: true })
    for (const shown of ['Ethereum', 'Base', 'Polygon', 'Open Nodes (Meridian)', 'Lantern'])
      await offer.getByText(shown, { exact: true }).waitFor()
    await offer.getByText(/^The operators see your IP address, your account addresses/).waitFor()
    expect(await actsOf(screen)).toEqual([])
    await button(page, 'Use public nodes').click()
    await page.getByRole('heading', { name: 'Your wallet is ready', exact: true }).waitFor()
    expect(await actsOf(screen)).toEqual([{ method: 'usePublicNodes', params: null }])
  }))

test('networks whose public nodes do not respond are named, and the press can be repeated', () =>
  on('set-up-nodes-missing', async screen => {
    const { page } = screen
    await page.getByRole('alert').getByText('No public node responded for Base and OP Mainnet.').waitFor()
    await page.evaluate(() => window.preview.answer('usePublicNodes', []))
    await button(page, 'Use public nodes').click()
    await page.getByRole('heading', { name: 'Your wallet is ready', exact: true }).waitFor()
  }))

test('by keyboard: the choice of nodes can be left for later, or changed to own nodes and back', () =>
  on('set-up-nodes', async screen => {
    const { page } = screen
    for (const name of ['Addresses of these nodes', 'Use public nodes', 'My own node', 'Later']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toContain(name)
    }
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose your networks', exact: true }).waitFor()
    await button(page, 'Back').press('Enter')
    await button(page, 'Later').press('Enter')
    await page.getByRole('heading', { name: 'Your wallet is ready', exact: true }).waitFor()
    expect(await actsOf(screen)).toEqual([])
  }))

test('a node of another network stays in its field, and the step does not continue until it is changed', () =>
  on('set-up-networks-refused', async ({ page }) => {
    await page.getByRole('alert').getByText('This node reports chain 1').waitFor()
    expect(await page.getByLabel('Node URL', { exact: true }).inputValue()).toBe('https://rpc.home.example/eth')
    await page.getByLabel('Node URL', { exact: true }).fill('')
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: 'Your wallet is ready', exact: true }).waitFor()
  }))

test('an unknown word is named by its position, and quoted only when the phrase is revealed', () =>
  on('import-unknown', async ({ page }) => {
    await button(page, 'Import wallet').click()
    for (const [place, word] of PHRASE.replace('curtain', 'curtian').split(' ').entries())
      await page.getByLabel(`Word ${place + 1}`, { exact: true }).fill(word)
    await page.keyboard.press('Tab')
    await page.getByRole('alert').getByText('Word 5 is not in the word list.').waitFor()
    expect(await page.getByLabel('Word 5', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await button(page, 'Continue').isDisabled()).toBe(true)
    await button(page, 'Reveal phrase').click()
    await page.getByRole('alert').getByText('Word 5, “curtian”, is not in the word list.').waitFor()
  }))

test('decrypting a keystore shows progress, keeps the fields and can be stopped', () =>
  on('import-keystore', async screen => {
    const { page } = screen
    const bar = page.getByRole('progressbar', { name: 'Opening the file', exact: true })
    expect(await bar.getAttribute('aria-valuenow')).toBe('62')
    await page.getByLabel('Account name', { exact: true }).fill('Old savings')
    await button(page, 'Cancel').click()
    expect((await screen.calls()).slice(-2)).toMatchObject([
      { method: 'openKeystore', params: { password: 'not your usual', keystore: '{}' } },
      { method: 'cancelTask' },
    ])
  }))

test('a file that is not a keystore is rejected at once', () =>
  on('import-keystore-refused', async ({ page }) => {
    await page.getByRole('alert').getByText('That is not a keystore file: it is not JSON').waitFor()
    expect(await button(page, 'Continue').isDisabled()).toBe(true)
  }))

const suggested = (page: Page) => page.getByRole('listbox', { name: 'Suggestions', exact: true }).getByRole('option')

test('hidden words get no suggestions; revealed ones do, from the list of the other words’ language', () =>
  on('import-phrase', async screen => {
    const { page } = screen
    const word = (place: number) => page.getByLabel(`Word ${place}`, { exact: true })
    await page.evaluate(() => window.preview.answer('checkPhrase', { valid: false, unknownWords: [] }))
    await word(1).pressSequentially('ab')
    expect(await suggested(page).count()).toBe(0)
    expect(await word(1).getAttribute('role')).toBe(null)
    expect(await paramsOf(screen, 'getWordList')).toEqual([])
    await button(page, 'Reveal phrase').click()
    await word(1).fill('abandon')
    await word(2).pressSequentially('ab')
    await expect
      .poll(() => suggested(page).allTextContents())
      .toEqual(['abandon', 'ability', 'able', 'about', 'above', 'absent'])
    // The language follows the other words, and is not asked for again while they stay the same.
    expect(await paramsOf(screen, 'getWordList')).toEqual([{ phrase: '' }, { phrase: 'abandon' }])
    for (const place of [1, 2]) expect(await word(place).getAttribute('autocomplete')).toBe('off')
    await button(page, 'Hide phrase').click()
    expect(await suggested(page).count()).toBe(0)
  }))

test('suggestions by keyboard: arrows choose, Enter and Tab accept, Esc closes, and Enter without a choice submits nothing', () =>
  on('import-suggestions', async screen => {
    const { page } = screen
    const word = (place: number) => page.getByLabel(`Word ${place}`, { exact: true })
    const active = () =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-activedescendant')
        return id ? document.getElementById(id)?.textContent?.trim() : null
      })
    expect(await word(5).getAttribute('aria-expanded')).toBe('true')
    expect(await active()).toBe('abandon')
    await page.keyboard.press('ArrowUp')
    expect(await active()).toBe('absent')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await active()).toBe('ability')
    await page.keyboard.press('Enter')
    expect(await word(5).inputValue()).toBe('ability')
    expect(await word(5).getAttribute('aria-expanded')).toBe('false')
    expect(await focused(page)).toBe('Word 5')

    // The only suggestion is chosen from the start, and Tab moves on after it.
    await page.keyboard.press('Tab')
    await page.keyboard.type('pud')
    expect(await active()).toBe('pudding')
    await page.keyboard.press('Tab')
    expect(await word(6).inputValue()).toBe('pudding')
    expect(await focused(page)).toBe('Word 7')

    await page.keyboard.type('cu')
    expect(await suggested(page).count()).toBe(4)
    expect(await active()).toBe(null)
    await page.keyboard.press('Escape')
    expect(await suggested(page).count()).toBe(0)
    await page.keyboard.press('Tab')
    expect(await word(7).inputValue()).toBe('cu')

    await page.keyboard.type('cu')
    await suggested(page).getByText('cushion', { exact: true }).click()
    expect(await word(8).inputValue()).toBe('cushion')
    expect(await focused(page)).toBe('Word 8')
  }))

test('suggestions while confirming come from the whole list, and none is marked as the right word', () =>
  on('create-confirm', async screen => {
    const { page } = screen
    const field = page.getByLabel(/^Word \d+$/).first()
    const label = (await field.evaluate(input => (input as HTMLInputElement).labels?.[0]?.textContent)) ?? ''
    const right = PHRASE.split(' ')[Number(label.replace(/\D/g, '')) - 1] ?? ''
    await field.pressSequentially('ab')
    expect(await suggested(page).allTextContents()).toEqual(['abandon', 'ability', 'able', 'about', 'above', 'absent'])
    await field.fill(right.slice(0, 2))
    const offered = await suggested(page).allTextContents()
    expect(offered).toContain(right)
    expect(offered).toEqual(words.filter(word => word.startsWith(right.slice(0, 2))).slice(0, 6))
    expect(await paramsOf(screen, 'getWordList')).toEqual([{ phrase: '' }])
  }))
