/** Contacts, tokens, allowances, delegations and what is on its way to the chain, by keyboard alone and by mouse. */
import contracts from '@metamask/test-dapp/dist/constants.json' with { type: 'json' }
import {
  Contract,
  ContractFactory,
  formatUnits,
  getAddress,
  type JsonRpcProvider,
  parseEther,
  parseUnits,
} from 'ethers'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { openChain } from '../chain.ts'
import { approve, asked, resultOf } from './deciding.ts'
import { expectFocus, HANDS, type Hand, pressUntil } from './hands.ts'
import { ADDRESS, importWallet, PASSWORD, type Person, startPerson, useRpc } from './person.ts'
import { startWeb, type Web } from './web.ts'

const SPENDER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** What each hand deals with alone: who gets something, the token that is added, and the one that is found. */
const OWN = {
  keyboard: { recipient: `0x${'a1'.repeat(20)}`, contact: 'Ada', added: 'KEYS', found: 'CODE' },
  mouse: { recipient: `0x${'b2'.repeat(20)}`, contact: 'Bob', added: 'TAIL', found: 'FEET' },
} as const
const SUPPLY = 1_000n
/** EIP-7702: what an account's code is when it runs that of another address. */
const delegationTo = (address: string) => `0xef0100${address.slice(2)}`

let anvil: Anvil
let chain: JsonRpcProvider
let web: Web
let person: Person
let home: Page
let settings: Page
let site: Page
/** Addresses of the tokens, by symbol. */
const tokens: Record<string, string> = {}

/** Sends as the first account, which anvil has the key of, and resolves with the receipt. */
const transact = async (transaction: object): Promise<{ contractAddress: string | null }> => {
  const hash = await chain.send('eth_sendTransaction', [{ from: ADDRESS, ...transaction }])
  return vi.waitFor(async () => {
    const receipt = await chain.send('eth_getTransactionReceipt', [hash])
    if (!receipt) throw new Error(`${hash} is in no block yet`)
    return receipt
  }, 20_000)
}
const deploy = async (symbol: string): Promise<void> => {
  const { data } = await new ContractFactory(contracts.hstAbi, contracts.hstBytecode).getDeployTransaction(
    SUPPLY,
    symbol,
    0,
    symbol,
  )
  tokens[symbol] = getAddress((await transact({ data })).contractAddress ?? '')
}
const tokenOf = (symbol: string) => new Contract(tokens[symbol] ?? '', contracts.hstAbi, chain)
const call = (symbol: string, name: string, ...values: unknown[]) =>
  transact({ to: tokens[symbol], data: tokenOf(symbol).interface.encodeFunctionData(name, values) })

beforeAll(async () => {
  const deployAll = async () => {
    anvil = await startAnvil()
    chain = openChain(anvil.url)
    for (const { added, found } of Object.values(OWN)) {
      await deploy(added)
      await call(added, 'approve', SPENDER, 500n)
      await deploy(found)
      await call(found, 'transfer', ADDRESS, 1n)
    }
  }
  const openWallet = async () => {
    web = await startWeb({ '/': '<p>A site</p>' })
    person = await startPerson()
    home = await importWallet(person)
  }
  await Promise.all([deployAll(), openWallet()])
  await useRpc(home, anvil.url)
  settings = await person.open('settings.html')
  site = await person.context.newPage()
  await site.goto(web.origin('site'))
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await web?.stop()
  await anvil?.stop()
})

/** On to what the next step shows: a press that a worker missed as it was stopped is made again. */
const goOn = (hand: Hand, next: Locator): Promise<void> =>
  pressUntil(
    home,
    () => hand.press(home, 'button', 'Continue'),
    () => next.isVisible(),
  )

/** From the amount of a transfer to the screen of what was sent. */
const sendAmount = async (hand: Hand, amount: string): Promise<void> => {
  await hand.write(home, 'Amount', amount)
  await goOn(hand, home.getByRole('heading', { name: 'Review', exact: true }))
  await pressUntil(
    home,
    () => hand.press(home, 'button', 'Send'),
    () => home.getByRole('button', { name: 'Copy hash', exact: true }).isVisible(),
  )
}
const status = (text: string) => home.getByRole('status').getByText(text, { exact: true }).waitFor()

test.for(HANDS)('by %s: a contact is added and named anew', async ([name, hand]) => {
  const { recipient, contact } = OWN[name]
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Contacts')
  if (name !== 'keyboard') await hand.press(settings, 'link', 'Add contact')
  await hand.write(settings, 'Address', recipient)
  await hand.write(settings, 'Name', 'Someone')
  await hand.press(settings, 'button', 'Save')
  await settings.getByRole('button', { name: 'Remove contact', exact: true }).waitFor()
  await expectFocus(settings)
  await hand.write(settings, 'Name', contact)
  await hand.press(settings, 'button', 'Save')
  await settings.getByText('Saved', { exact: true }).waitFor()
  await settings.getByRole('link', { name: new RegExp(`^${contact}`) }).waitFor()
})

test.for(HANDS)(
  'by %s: a token is added by its address, hidden and shown, and a found one is shown',
  async ([name, hand]) => {
    const { added, found } = OWN[name]
    await settings.bringToFront()
    await hand.press(settings, 'link', 'Tokens')
    const adding = settings.getByRole('region', { name: 'Add a token by its address', exact: true })
    await hand.write(adding, 'Token contract', tokens[added] ?? '')
    await hand.press(adding, 'button', 'Look up')
    await hand.press(adding, 'button', `Show ${added}`)
    await expect.poll(() => adding.getByLabel('Token contract', { exact: true }).inputValue()).toBe('')
    await expectFocus(settings)
    await hand.press(settings, 'button', `Hide ${added}`)
    await expectFocus(settings)
    await hand.press(settings, 'button', `Show ${added}`)
    await settings.getByRole('button', { name: `Hide ${added}`, exact: true }).waitFor()

    await hand.press(settings, 'button', 'Find')
    await expectFocus(settings)
    await settings.getByText(/^All blocks up to /).waitFor()
    await hand.press(settings, 'button', `Show ${found}`)
    await settings.getByRole('button', { name: `Hide ${found}`, exact: true }).waitFor()
    await expectFocus(settings)
  },
)

test.for(HANDS)('by %s: a token is sent to a contact, who is then removed', async ([name, hand]) => {
  const { recipient, contact, added } = OWN[name]
  await home.bringToFront()
  await hand.press(home, 'button', 'Send')
  await hand.press(home, 'option', new RegExp(`^${contact}`))
  await goOn(hand, home.getByLabel('Amount', { exact: true }))
  const address = tokens[added] ?? ''
  await hand.choose(home, 'Token, ETH', `${added} · ${address.slice(0, 6)}…${address.slice(-4)}`)
  await sendAmount(hand, '7')
  await expect.poll(() => tokenOf(added).getFunction('balanceOf')(recipient)).toBe(7n)
  await status('Done')
  await hand.back(home)
  await home.getByRole('button', { name: 'Receive', exact: true }).waitFor()
  await expectFocus(home)

  await settings.bringToFront()
  await hand.press(settings, 'link', 'Contacts')
  await hand.press(settings, 'link', new RegExp(`^${contact}`))
  await hand.press(settings, 'button', 'Remove contact')
  await settings.getByRole('link', { name: new RegExp(`^${contact}`) }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(HANDS)('by %s: an allowance is found and taken back', async ([name, hand]) => {
  const { added } = OWN[name]
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Allowances')
  await hand.press(settings, 'button', /^(Find allowances|Look again)$/)
  await hand.press(settings, 'button', `Revoke allowance of ${added}`)
  const dialog = settings.getByRole('dialog', { name: 'Revoke allowance', exact: true })
  await pressUntil(
    settings,
    () => hand.press(dialog, 'button', 'Revoke'),
    async () => !(await dialog.isVisible()),
  )
  await expectFocus(settings)
  await settings.getByRole('status').getByText('Revoked', { exact: true }).waitFor()
  expect(await tokenOf(added).getFunction('allowance')(ADDRESS, SPENDER)).toBe(0n)
})

/** One gwei more than is offered, as a fee of the person's own. */
const raiseFee = async (hand: Hand): Promise<bigint> => {
  await hand.press(home, 'radio', 'Custom')
  const offered = await home.getByLabel('Max fee', { exact: true }).inputValue()
  const fee = parseUnits(offered, 'gwei') + parseUnits('1', 'gwei')
  await hand.write(home, 'Max fee', formatUnits(fee, 'gwei'))
  return fee
}

test.for(HANDS)('by %s: what waits for a block is sped up, or cancelled', async ([name, hand]) => {
  const { recipient } = OWN[name]
  const nonce = await chain.getTransactionCount(ADDRESS)
  const fees: bigint[] = []
  await home.bringToFront()
  await chain.send('evm_setAutomine', [false])
  for (const action of ['Speed up', 'Cancel transaction']) {
    await hand.press(home, 'button', 'Send')
    await hand.write(home, 'Recipient', recipient)
    await goOn(hand, home.getByLabel('Amount', { exact: true }))
    await sendAmount(hand, '0.5')
    await status('Pending')
    await hand.press(home, 'button', action)
    const custom = home.getByRole('radio', { name: 'Custom', exact: true })
    await custom.waitFor()
    if (action === 'Speed up') fees.push(await raiseFee(hand))
    await pressUntil(
      home,
      () => hand.press(home, 'button', action),
      async () => !(await custom.isVisible()),
    )
    await status('Pending')
    await expectFocus(home)
    await hand.back(home)
  }
  await chain.send('evm_mine', [])
  await chain.send('evm_setAutomine', [true])
  expect(await chain.getTransactionCount(ADDRESS)).toBe(nonce + 2)
  expect(await chain.getBalance(recipient)).toBe(parseEther('0.5'))
  const mined = (await chain.getBlock('latest', true))?.prefetchedTransactions ?? []
  expect(fees).toEqual([mined.find(({ to, value }) => to?.toLowerCase() === recipient && value > 0n)?.maxFeePerGas])
})

test.for(HANDS)('by %s: what was signed and not sent is sent, or given up', async ([name, hand]) => {
  const { recipient } = OWN[name]
  if (name === 'keyboard')
    await asked(person, site, 'eth_requestAccounts', [], window => approve(hand, window, 'Connect'))
  const value = parseEther('0.25')
  const before = await chain.getBalance(recipient)
  for (const action of ['Send', 'Discard']) {
    const transfer = { from: ADDRESS, to: recipient, value: `0x${value.toString(16)}` }
    resultOf(await asked(person, site, 'eth_signTransaction', [transfer], window => approve(hand, window)))
    await home.bringToFront()
    await hand.press(home, 'tab', 'Activity')
    await hand.press(home, 'button', /Signed, not sent/)
    await hand.press(home, 'button', action)
    await status(action === 'Send' ? 'Done' : 'Dropped')
    await expectFocus(home)
    await hand.back(home)
  }
  expect(await chain.getBalance(recipient)).toBe(before + value)
})

/** Gives the password where it is asked for, a wrong one first. */
const confirm = async (hand: Hand, page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Your password', exact: true })
  await hand.write(dialog, 'Password', 'not this one')
  await hand.press(dialog, 'button', 'Continue')
  await dialog.getByText('That password is not right.', { exact: true }).waitFor()
  await hand.write(dialog, 'Password', PASSWORD)
  await hand.press(dialog, 'button', 'Continue').catch(error => {
    if (!page.isClosed()) throw error
  })
}
const ASKS_PASSWORD = 'Ask for the password before every transaction'

test.for(HANDS)('by %s: the password is asked for before transactions, as their owner chose', async ([name, hand]) => {
  const { recipient } = OWN[name]
  const before = await chain.getBalance(recipient)
  const toggle = settings.getByRole('switch', { name: ASKS_PASSWORD, exact: true })
  const isAsked = (page: Page) => page.getByRole('dialog', { name: 'Your password', exact: true }).isVisible()
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Security')
  await hand.press(settings, 'switch', ASKS_PASSWORD)
  await expect.poll(() => toggle.isChecked()).toBe(true)

  await home.bringToFront()
  await hand.press(home, 'button', 'Send')
  await hand.write(home, 'Recipient', recipient)
  await goOn(hand, home.getByLabel('Amount', { exact: true }))
  await hand.write(home, 'Amount', '0.125')
  await goOn(hand, home.getByRole('heading', { name: 'Review', exact: true }))
  await pressUntil(
    home,
    () => hand.press(home, 'button', 'Send'),
    () => isAsked(home),
  )
  await confirm(hand, home)
  await status('Done')
  await hand.back(home)

  const transfer = { from: ADDRESS, to: recipient, value: `0x${parseEther('0.125').toString(16)}` }
  const sent = await asked(person, site, 'eth_sendTransaction', [transfer], async window => {
    await pressUntil(
      window,
      () => hand.press(window, 'button', 'Approve'),
      () => isAsked(window),
    )
    await confirm(hand, window)
  })
  resultOf(sent)
  expect((await chain.getBalance(recipient)) - before).toBe(parseEther('0.25'))

  await settings.bringToFront()
  await hand.press(settings, 'switch', ASKS_PASSWORD)
  await confirm(hand, settings)
  await expect.poll(() => toggle.isChecked()).toBe(false)
  await expectFocus(settings)
})

test.for(HANDS)('by %s: a delegation is seen and ended', async ([, hand]) => {
  await chain.send('anvil_setCode', [ADDRESS, delegationTo(tokens.KEYS ?? '')])
  await settings.bringToFront()
  await hand.press(settings, 'link', 'Accounts')
  await hand.press(settings, 'button', 'End delegation')
  const dialog = settings.getByRole('dialog', { name: 'End the delegation', exact: true })
  await hand.press(dialog, 'button', 'End delegation')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)
  await expect.poll(() => chain.getCode(ADDRESS)).toBe('0x')
  await hand.press(settings, 'link', 'Contacts')
})
