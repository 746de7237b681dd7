/** Contacts, tokens, allowances, delegations, batches and pending transactions, by keyboard. */
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
import { UPGRADED } from '../../extension/src/wallet/transactions/batch-delegate.fixture.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { putDelegate } from '../support/delegate.ts'
import { approve, asked, resultOf } from './deciding.ts'
import { expectFocus, INPUT_DEVICES, type InputDevice } from './input-devices.ts'
import { ADDRESS, importWallet, lastAct, PASSWORD, type Person, startPerson, useLocalChain } from './person.ts'
import { startWeb, type Web } from './web.ts'

const SPENDER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const RECIPIENT = `0x${'a1'.repeat(20)}`
const CONTACT = 'Ada'
/** Symbols of the token that is added by its address, and of the token that is found. */
const [ADDED, FOUND] = ['KEYS', 'CODE']
const SUPPLY = 1_000n

let anvil: Anvil
let chain: JsonRpcProvider
let web: Web
let person: Person
let home: Page
let settings: Page
let site: Page
/** Addresses of the tokens, by symbol. */
const tokens: Record<string, string> = {}

/** Sends a transaction from anvil's first account and resolves with its receipt. */
const transact = async (transaction: object): Promise<{ contractAddress: string | null }> => {
  const hash = await chain.send('eth_sendTransaction', [{ from: ADDRESS, ...transaction }])
  return vi.waitFor(async () => {
    const receipt = await chain.send('eth_getTransactionReceipt', [hash])
    if (!receipt) throw new Error(`${hash} is not in a block yet`)
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
    await deploy(ADDED)
    await call(ADDED, 'approve', SPENDER, 500n)
    await deploy(FOUND)
    await call(FOUND, 'transfer', ADDRESS, 1n)
  }
  const openWallet = async () => {
    web = await startWeb({ '/': '<p>A site</p>' })
    person = await startPerson()
    home = await importWallet(person)
  }
  await Promise.all([deployAll(), openWallet()])
  await useLocalChain(home, anvil.url)
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

const goOn = async (device: InputDevice, next: Locator): Promise<void> => {
  await device.press(home, 'button', 'Continue')
  await next.waitFor()
}

/** Continues from the amount of a transfer to the screen that follows sending. */
const sendAmount = async (device: InputDevice, amount: string): Promise<void> => {
  await device.write(home, 'Amount', amount)
  await goOn(device, home.getByRole('heading', { name: 'Review', exact: true }))
  await device.press(home, 'button', 'Send')
  await home.getByRole('button', { name: 'Copy hash', exact: true }).waitFor()
}
const status = (text: string) => home.getByRole('status').getByText(text, { exact: true }).waitFor()

test.for(INPUT_DEVICES)('by %s: a contact is added and renamed', async ([, device]) => {
  await settings.bringToFront()
  await device.press(settings, 'link', 'Contacts')
  await device.write(settings, 'Address', RECIPIENT)
  await device.write(settings, 'Name', 'Someone')
  await device.press(settings, 'button', 'Save')
  await settings.getByRole('button', { name: 'Remove contact', exact: true }).waitFor()
  await expectFocus(settings)
  await device.write(settings, 'Name', CONTACT)
  await device.press(settings, 'button', 'Save')
  await settings.getByText('Saved', { exact: true }).waitFor()
  await settings.getByRole('link', { name: new RegExp(`^${CONTACT}`) }).waitFor()
})

test.for(INPUT_DEVICES)(
  'by %s: a token is added by its address, hidden and shown, and a found one is shown',
  async ([, device]) => {
    await settings.bringToFront()
    await device.press(settings, 'link', 'Tokens')
    const adding = settings.getByRole('region', { name: 'Add a token by its address', exact: true })
    await device.write(adding, 'Token contract', tokens[ADDED] ?? '')
    await device.press(adding, 'button', 'Look up')
    await device.press(adding, 'button', `Show ${ADDED}`)
    await expect.poll(() => adding.getByLabel('Token contract', { exact: true }).inputValue()).toBe('')
    await expectFocus(settings)
    await device.press(settings, 'button', `Hide ${ADDED}`)
    await expectFocus(settings)
    await device.press(settings, 'button', `Show ${ADDED}`)
    await settings.getByRole('button', { name: `Hide ${ADDED}`, exact: true }).waitFor()

    await device.press(settings, 'button', 'Find')
    await expectFocus(settings)
    await settings.getByText(/^All blocks up to /).waitFor()
    await device.press(settings, 'button', `Show ${FOUND}`)
    await settings.getByRole('button', { name: `Hide ${FOUND}`, exact: true }).waitFor()
    await expectFocus(settings)
  },
)

test.for(INPUT_DEVICES)('by %s: a token is sent to a contact, which is then removed', async ([, device]) => {
  await home.bringToFront()
  await device.press(home, 'button', 'Send')
  await device.press(home, 'option', new RegExp(`^${CONTACT}`))
  await goOn(device, home.getByLabel('Amount', { exact: true }))
  const address = tokens[ADDED] ?? ''
  await device.choose(home, 'Token, ETH', `${ADDED} · ${address.slice(0, 6)}…${address.slice(-4)}`)
  await sendAmount(device, '7')
  await expect.poll(() => tokenOf(ADDED).getFunction('balanceOf')(RECIPIENT)).toBe(7n)
  await status('Confirmed')
  await device.back(home)
  await home.getByRole('button', { name: 'Receive', exact: true }).waitFor()
  await expectFocus(home)

  await settings.bringToFront()
  await device.press(settings, 'link', 'Contacts')
  await device.press(settings, 'link', new RegExp(`^${CONTACT}`))
  await device.press(settings, 'button', 'Remove contact')
  await settings.getByRole('link', { name: new RegExp(`^${CONTACT}`) }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(INPUT_DEVICES)('by %s: an allowance is found and revoked', async ([, device]) => {
  await settings.bringToFront()
  await device.press(settings, 'link', 'Allowances')
  await device.press(settings, 'button', /^(Find allowances|Search again)$/)
  await device.press(settings, 'button', `Revoke allowance of ${ADDED}`)
  const dialog = settings.getByRole('dialog', { name: 'Revoke allowance', exact: true })
  await device.press(dialog, 'button', 'Revoke')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)
  await settings.getByRole('status').getByText('Revoked', { exact: true }).waitFor()
  expect(await tokenOf(ADDED).getFunction('allowance')(ADDRESS, SPENDER)).toBe(0n)
})

/** Sets a custom fee that is one gwei above the offered one, and returns it in wei. */
const raiseFee = async (device: InputDevice): Promise<bigint> => {
  await device.press(home, 'radio', 'Custom')
  const offered = await home.getByLabel('Max fee', { exact: true }).inputValue()
  const fee = parseUnits(offered, 'gwei') + parseUnits('1', 'gwei')
  await device.write(home, 'Max fee', formatUnits(fee, 'gwei'))
  return fee
}

test.for(INPUT_DEVICES)('by %s: a pending transaction is sped up or cancelled', async ([, device]) => {
  const nonce = await chain.getTransactionCount(ADDRESS)
  const fees: bigint[] = []
  await home.bringToFront()
  await chain.send('evm_setAutomine', [false])
  for (const action of ['Speed up', 'Cancel transaction']) {
    await device.press(home, 'button', 'Send')
    await device.write(home, 'Recipient', RECIPIENT)
    await goOn(device, home.getByLabel('Amount', { exact: true }))
    await sendAmount(device, '0.5')
    await status('Pending')
    await device.press(home, 'button', action)
    const custom = home.getByRole('radio', { name: 'Custom', exact: true })
    await custom.waitFor()
    if (action === 'Speed up') fees.push(await raiseFee(device))
    await device.press(home, 'button', action)
    await custom.waitFor({ state: 'detached' })
    await status('Pending')
    await expectFocus(home)
    await device.back(home)
  }
  await chain.send('evm_mine', [])
  await chain.send('evm_setAutomine', [true])
  expect(await chain.getTransactionCount(ADDRESS)).toBe(nonce + 2)
  expect(await chain.getBalance(RECIPIENT)).toBe(parseEther('0.5'))
  const mined = (await chain.getBlock('latest', true))?.prefetchedTransactions ?? []
  expect(fees).toEqual([mined.find(({ to, value }) => to?.toLowerCase() === RECIPIENT && value > 0n)?.maxFeePerGas])
})

test.for(INPUT_DEVICES)('by %s: a signed transaction is sent or discarded', async ([, device]) => {
  await asked(person, site, 'eth_requestAccounts', [], window => approve(device, window, 'Connect'))
  const value = parseEther('0.25')
  const before = await chain.getBalance(RECIPIENT)
  for (const action of ['Send', 'Discard']) {
    const transfer = { from: ADDRESS, to: RECIPIENT, value: `0x${value.toString(16)}` }
    resultOf(await asked(person, site, 'eth_signTransaction', [transfer], window => approve(device, window)))
    await home.bringToFront()
    await device.press(home, 'tab', 'Activity')
    await device.press(home, 'button', /Signed, not sent/)
    await device.press(home, 'button', action)
    await status(action === 'Send' ? 'Confirmed' : 'Dropped')
    await expectFocus(home)
    await device.back(home)
  }
  expect(await chain.getBalance(RECIPIENT)).toBe(before + value)
})

/** Enters a wrong password, then the right one, and waits until the dialog has closed. */
const confirm = async (device: InputDevice, page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Your password', exact: true })
  await device.write(dialog, 'Password', 'not this one')
  await device.press(dialog, 'button', 'Continue')
  await dialog.getByText('The password is incorrect.', { exact: true }).waitFor()
  await device.write(dialog, 'Password', PASSWORD)
  // The approval window closes together with its dialog.
  await lastAct(page, async () => {
    await device.press(dialog, 'button', 'Continue')
    await dialog.waitFor({ state: 'detached' })
  })
}
/** Time limit in milliseconds, for six password checks that can take seconds each. */
const KEY_DERIVATIONS = 150_000
const ASKS_PASSWORD = 'Ask for the password before every transaction'

test.for(INPUT_DEVICES)(
  'by %s: the password is required before transactions if set',
  { timeout: KEY_DERIVATIONS },
  async ([, device]) => {
    const before = await chain.getBalance(RECIPIENT)
    const toggle = settings.getByRole('switch', { name: ASKS_PASSWORD, exact: true })
    await settings.bringToFront()
    await device.press(settings, 'link', 'Security')
    await device.press(settings, 'switch', ASKS_PASSWORD)
    await expect.poll(() => toggle.isChecked()).toBe(true)

    await home.bringToFront()
    await device.press(home, 'button', 'Send')
    await device.write(home, 'Recipient', RECIPIENT)
    await goOn(device, home.getByLabel('Amount', { exact: true }))
    await device.write(home, 'Amount', '0.125')
    await goOn(device, home.getByRole('heading', { name: 'Review', exact: true }))
    await device.press(home, 'button', 'Send')
    await confirm(device, home)
    await status('Confirmed')
    await device.back(home)

    const transfer = { from: ADDRESS, to: RECIPIENT, value: `0x${parseEther('0.125').toString(16)}` }
    const sent = await asked(person, site, 'eth_sendTransaction', [transfer], async window => {
      await device.press(window, 'button', 'Approve')
      await confirm(device, window)
      await expect.poll(() => window.isClosed()).toBe(true)
    })
    resultOf(sent)
    expect((await chain.getBalance(RECIPIENT)) - before).toBe(parseEther('0.25'))

    await settings.bringToFront()
    await device.press(settings, 'switch', ASKS_PASSWORD)
    await confirm(device, settings)
    await expect.poll(() => toggle.isChecked()).toBe(false)
    await expectFocus(settings)
  },
)

test.for(INPUT_DEVICES)('by %s: a batch gives the account code, which is then removed', async ([, device]) => {
  await putDelegate(chain)
  const before = await chain.getBalance(RECIPIENT)
  const calls = [
    { to: RECIPIENT, value: '0x1' },
    { to: RECIPIENT, value: '0x2' },
  ]
  const batch = { version: '2.0.0', id: 'batch', chainId: '0x7a69', from: ADDRESS, atomicRequired: true, calls }
  await site.bringToFront()
  const reply = await asked(person, site, 'wallet_sendCalls', [batch], async window => {
    await window.getByText('Gives your account code').waitFor()
    await window.getByRole('heading', { name: 'Code for this account', exact: true }).waitFor()
    await approve(device, window)
  })
  expect(reply).toEqual({ result: { id: 'batch' } })
  await expect.poll(() => chain.getBalance(RECIPIENT)).toBe(before + 3n)
  expect(await chain.getCode(ADDRESS)).toBe(UPGRADED)
  await settings.bringToFront()
  // An account's page reads the delegation only when it opens, so it is opened again.
  await device.press(settings, 'link', 'Contacts')
  await device.press(settings, 'link', 'Accounts')
  await settings.getByText(/runs the code of Simple7702Account/).waitFor()
  await device.press(settings, 'button', 'End delegation')
  const dialog = settings.getByRole('dialog', { name: 'End the delegation', exact: true })
  await device.press(dialog, 'button', 'End delegation')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)
  await expect.poll(() => chain.getCode(ADDRESS)).toBe('0x')
})
