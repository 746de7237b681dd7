/**
 * Settings, and importing and removing a wallet: by keyboard in Chromium. In Firefox by mouse, and only the flows with
 * files, and the removal of everything that is stored.
 */
import { readFile } from 'node:fs/promises'
import { HDNodeWallet } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { CHROMIUM_DEVICES, expectFocus, INPUT_DEVICES } from './input-devices.ts'
import { choosePassword, openHome } from './onboarding.ts'
import { type PausableNode, startPausableNode } from './pausable-node.ts'
import { ADDRESS, PASSWORD, type Person, PHRASE, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

const ABI = JSON.stringify([
  {
    type: 'function',
    name: 'bake',
    inputs: [{ name: 'loaves', type: 'uint256' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
])

let anvil: Anvil
let node: PausableNode
let person: Person
let settings: Page

beforeAll(async () => {
  anvil = await startAnvil()
  node = await startPausableNode(anvil.url)
  person = await startPerson()
})

afterAll(async () => {
  await person?.leave()
  await node?.stop()
  await anvil?.stop()
})

test.for(INPUT_DEVICES)('by %s: a wallet is imported', async ([, device]) => {
  const page = await person.open('onboarding.html')
  await device.press(page, 'button', 'Import wallet')
  for (const [place, word] of PHRASE.split(' ').entries()) await device.write(page, `Word ${place + 1}`, word)
  await device.press(page, 'button', 'Continue')
  await choosePassword(device, page, 'Import wallet')
  await openHome(device, page)
  await page.close()
  settings = await person.open('settings.html')
})

test.for(CHROMIUM_DEVICES)(
  'by %s: a network is added, its nodes changed, hidden and shown, and it is removed',
  async ([, device]) => {
    const [chainId, title] = [1338, 'Inland']
    const url = node.urlAs(`0x${chainId.toString(16)}`)
    await settings.bringToFront()
    await device.press(settings, 'link', 'Networks')
    await device.press(settings, 'link', 'Add network')
    await expectFocus(settings)
    await device.press(settings, 'link', 'Add a network that is not in the list')
    await expectFocus(settings)
    await device.write(settings, 'Node URL', anvil.url)
    await device.write(settings, 'Chain ID', String(chainId))
    await device.press(settings, 'button', 'Test')
    await settings.getByText('Wrong network: chain 31337', { exact: true }).waitFor()
    await device.write(settings, 'Node URL', url)
    await device.press(settings, 'button', 'Test')
    await settings.getByText(/^Reachable, /).waitFor()
    await device.write(settings, 'Name', title)
    await device.write(settings, 'Currency symbol', 'SHL')
    await device.press(settings, 'button', 'Save')
    await settings.getByRole('button', { name: 'Remove network', exact: true }).waitFor()
    await expectFocus(settings)

    const { host } = new URL(url)
    const other = host.replace('127.0.0.1', 'localhost')
    await device.write(settings, 'Node URL', url.replace(host, other))
    await device.press(settings, 'button', 'Add node')
    await device.press(settings, 'button', `Try first: ${other}`)
    await settings.getByRole('button', { name: `Try first: ${host}`, exact: true }).waitFor()
    await expectFocus(settings)
    await device.press(settings, 'button', `Remove ${host}`)
    await settings.getByRole('button', { name: `Remove ${host}`, exact: true }).waitFor({ state: 'detached' })
    await expectFocus(settings)
    await device.press(settings, 'button', 'Hide network')
    await device.press(settings, 'button', 'Show network')
    await settings.getByRole('button', { name: 'Hide network', exact: true }).waitFor()
    await expectFocus(settings)
    await device.press(settings, 'button', 'Remove network')
    await settings.getByRole('link', { name: new RegExp(`^${title}`) }).waitFor({ state: 'detached' })
    await expectFocus(settings)
  },
)

test.for(CHROMIUM_DEVICES)('by %s: an interface is added and removed', async ([, device]) => {
  const contract = 'Bakery'
  await settings.bringToFront()
  await device.press(settings, 'link', 'Contract interfaces')
  await device.write(settings, 'Name', contract)
  await device.choose(settings, 'Network', 'Ethereum')
  await device.write(settings, 'Contract address', ADDRESS)
  await device.write(settings, 'ABI (JSON)', ABI)
  await device.press(settings, 'button', 'Add interface')
  await settings.getByText('Interface added.', { exact: true }).waitFor()
  await expectFocus(settings)
  await device.press(settings, 'button', `Remove ${contract}`)
  await settings.getByRole('heading', { name: contract, exact: true }).waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(CHROMIUM_DEVICES)(
  'by %s: the auto-lock time is changed, the phrase revealed, and the wallet locked',
  async ([, device]) => {
    await settings.bringToFront()
    await device.press(settings, 'link', 'Security')
    const autoLock = settings.getByLabel('Auto-lock', { exact: true })
    const wanted = '5 minutes'
    await device.choose(settings, 'Auto-lock', wanted)

    await device.press(settings, 'button', 'Reveal phrase')
    const dialog = settings.getByRole('dialog', { name: 'Reveal recovery phrase', exact: true })
    await device.write(dialog, 'Password', PASSWORD)
    await device.press(dialog, 'checkbox', /^I understand/)
    await device.dare(dialog, 'Reveal phrase')
    await dialog.getByRole('button', { name: 'Hide phrase', exact: true }).waitFor()
    const words = await dialog
      .getByRole('list', { name: 'Recovery phrase', exact: true })
      .getByRole('listitem')
      .allTextContents()
    expect(words.map(word => word.replace(/[^a-z]/g, '')).join(' ')).toBe(PHRASE)
    await device.close(settings)
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(settings)

    await device.press(settings, 'button', 'Lock')
    await device.write(settings, 'Password', PASSWORD)
    await device.press(settings, 'button', 'Unlock')
    await expect
      .poll(() => autoLock.evaluate(list => (list as HTMLSelectElement).selectedOptions[0]?.label))
      .toBe(wanted)
    await expectFocus(settings)
  },
)

test.for(INPUT_DEVICES)("by %s: an account's key is exported as a keystore file", async ([, device]) => {
  await settings.bringToFront()
  await device.press(settings, 'link', 'Accounts')
  await device.press(settings, 'button', 'Export keystore file')
  const dialog = settings.getByRole('dialog', { name: 'Export keystore file', exact: true })
  await device.write(dialog, 'Password', PASSWORD)
  await device.write(dialog, 'Keystore password', 'a password for the file only')
  await device.write(dialog, 'Repeat keystore password', 'a password for the file only')
  const download = settings.waitForEvent('download')
  await device.press(dialog, 'button', 'Export keystore file')
  const keystore = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(keystore).toMatchObject({ version: 3, address: ADDRESS.slice(2).toLowerCase() })
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(settings)
})

const addressOf = (digits: string) => `0x${digits.padStart(40, '0')}`

test.for(INPUT_DEVICES)(
  'by %s: accounts, contacts and networks are imported from a file, addresses and keys from lists, each once',
  async ([, device]) => {
    const [chainId, title] = [1440, 'Ferry']
    const chain = `0x${chainId.toString(16)}`
    const [account, contact] = [addressOf('a'), addressOf('c')]
    const content = {
      internalAccounts: {
        internalAccounts: { accounts: { one: { address: account, metadata: { name: 'Boat' } } } },
      },
      addressBook: { addressBook: { '0x1': { [contact]: { address: contact, name: 'Captain' } } } },
      network: {
        networkConfigurationsByChainId: {
          [chain]: {
            chainId: chain,
            name: title,
            nativeCurrency: 'FRY',
            rpcEndpoints: [{ type: 'custom', url: node.urlAs(chain) }],
          },
        },
      },
    }
    const file = {
      name: 'MetaMaskUserData.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(content)),
    }
    const source = settings.getByRole('region', { name: /^Bring it here/ })
    const asked = node.asked('eth_chainId').length
    await settings.bringToFront()
    await device.press(settings, 'link', 'From another wallet')
    await device.chooseFile(settings, 'Choose an exported file', file)
    await settings.getByRole('button', { name: 'Import (2)', exact: true }).waitFor()
    await device.press(settings, 'checkbox', title)
    await device.press(settings, 'checkbox', /^Use this node: 127\.0\.0\.1/)
    expect(node.asked('eth_chainId')).toHaveLength(asked)
    await device.press(settings, 'button', 'Import (3)')
    await settings.getByText('Accounts: 1 · Contacts: 1 · Networks: 1', { exact: true }).waitFor()
    await settings.getByText('The node is in use.').waitFor()
    expect(node.asked('eth_chainId')).toHaveLength(asked + 1)
    await expectFocus(settings)

    await device.chooseFile(settings, 'Choose an exported file', file)
    await settings.getByText('Nothing here is new.', { exact: true }).waitFor()
    await device.press(settings, 'button', 'Cancel')

    await device.press(source, 'tab', 'Addresses')
    const listed = [`${addressOf('b')} Pilot`, `${addressOf('d')},Cook`, contact]
    await device.write(settings, 'Addresses, one on each line', listed.join('\n'))
    await device.press(settings, 'button', 'Review')
    await settings.getByRole('button', { name: 'Import (3)', exact: true }).waitFor()
    await device.choose(settings, 'Add the addresses as', 'Contacts')
    await device.press(settings, 'button', 'Import (2)')
    await settings.getByText('Accounts: 0 · Contacts: 2 · Networks: 0', { exact: true }).waitFor()

    await device.press(source, 'tab', 'Private keys')
    const keys = ['51', '61'].map(byte => `0x${byte.repeat(32)}`)
    await device.write(settings, 'Private keys, one on each line', keys.join('\n'))
    await device.press(settings, 'button', 'Review')
    await device.press(settings, 'button', 'Import (2)')
    await settings.getByText('Accounts: 2 · Contacts: 0 · Networks: 0', { exact: true }).waitFor()

    const { accounts, contacts, networks } = (await callWallet(settings, 'getState', null)).result
    expect(accounts.find(({ address }) => address.toLowerCase() === account)).toMatchObject({ name: 'Boat' })
    expect(accounts.filter(({ kind }) => kind === 'privateKey')).toHaveLength(2)
    expect(contacts.map(contact => contact.name)).toEqual(['Captain', 'Cook', 'Pilot'])
    expect(networks.find(network => network.chainId === chainId)).toMatchObject({ title, rpcUrls: [node.urlAs(chain)] })
  },
)

const accountsNow = async () =>
  (await callWallet(settings, 'getState', null)).result.accounts.map(({ address }) => address)

test.for(CHROMIUM_DEVICES)('by %s: several accounts of the phrase are chosen from a list', async ([, device]) => {
  const [first, second] = [3, 5]
  await settings.bringToFront()
  await device.press(settings, 'link', 'Accounts')
  await device.press(settings, 'link', 'Add account')
  await device.press(settings, 'button', 'List accounts')
  for (const index of [first, second]) await device.press(settings, 'checkbox', `m/44'/60'/0'/0/${index}`)
  const before = await accountsNow()
  await device.press(settings, 'button', 'Add (2)')
  const added = settings.getByRole('checkbox', { name: `m/44'/60'/0'/0/${second}`, exact: true })
  await expect.poll(() => added.isDisabled()).toBe(true)
  const path = (index: number) => HDNodeWallet.fromPhrase(PHRASE, '', `m/44'/60'/0'/0/${index}`).address
  expect((await accountsNow()).slice(before.length)).toEqual([path(first), path(second)])
})

test.for(CHROMIUM_DEVICES)('by %s: the list of shortcuts is opened and closed', async ([, device]) => {
  await settings.bringToFront()
  await device.press(settings, 'link', 'About')
  await settings.keyboard.press('?')
  const help = settings.getByRole('dialog', { name: 'Keyboard', exact: true })
  await help.getByText('Show this help', { exact: true }).waitFor()
  await device.close(settings)
  await help.waitFor({ state: 'detached' })
  await expectFocus(settings)
})

test.for(INPUT_DEVICES)('by %s: the wallet is removed', async ([, device]) => {
  await settings.bringToFront()
  await device.press(settings, 'link', 'Security')
  await device.press(settings, 'button', 'Remove wallet')
  const dialog = settings.getByRole('dialog', { name: 'Remove wallet from this browser', exact: true })
  await device.write(dialog, 'Password', PASSWORD)
  await device.press(dialog, 'checkbox', /^I understand/)
  await device.dare(dialog, 'Remove wallet')
  await settings.getByRole('button', { name: 'Create wallet', exact: true }).waitFor()
})
