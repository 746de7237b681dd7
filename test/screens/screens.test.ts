/**
 * Checks every screen in Day and Night, right to left, zoomed in, without motion and with forced colours: nothing overflows
 * or is cut, nothing is logged, axe finds nothing, the focus is visible, and elements have their exact names. New fixtures
 * are included automatically. SCREENSHOTS=<folder> writes pictures there.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { COLOURS, EVERYTHING, violations } from './axe.ts'
import { connectPreviews, type Previews, SIZES } from './browser.ts'
import type { Page as PageName } from './fixtures/screen.ts'
import { screens } from './fixtures.ts'
import { chosenFaults, focusFaults, layoutFaults, turnedFaults } from './layout.ts'

const half = ({ width, height }: { width: number; height: number }) => ({ width: width / 2, height: height / 2 })

/** Viewport of each page at 200 % zoom. The popup grows up to the browser's limit. */
const ZOOMED: Record<PageName, { width: number; height: number }> = {
  popup: { width: SIZES.popup.width, height: 300 },
  approval: half(SIZES.approval),
  onboarding: half(SIZES.onboarding),
  settings: half(SIZES.settings),
}
const pictures = process.env.SCREENSHOTS

type Name = [
  role:
    | 'link'
    | 'listbox'
    | 'option'
    | 'switch'
    | 'combobox'
    | 'tab'
    | 'progressbar'
    | 'button'
    | 'checkbox'
    | 'textbox'
    | 'heading'
    | 'alert'
    | 'dialog'
    | 'img'
    | 'radio'
    | 'region'
    | 'status',
  name: string | RegExp,
  count?: number,
]

const DECIDE: Name[] = [
  ['button', 'Reject'],
  ['button', 'Approve'],
  ['region', 'Request details'],
]
const READ: Name[] = [
  ['button', 'Reject'],
  ['button', 'Read to the end to approve'],
  ['region', 'Request details'],
]
const CONNECT: Name[] = [
  ['button', 'Reject'],
  ['button', 'Connect'],
  ['region', 'Request details'],
  ['checkbox', 'Trading'],
  ['checkbox', 'Ethereum'],
  ['switch', 'Ask to sign messages'],
  ['switch', 'Ask to send transactions'],
  ['combobox', 'Ends'],
]
const HOME: Name[] = [
  ['button', 'Switch account, Trading'],
  ['button', 'Switch network, Ethereum'],
  ['button', 'Copy address'],
  ['button', 'Remote sessions'],
  ['button', 'Pair'],
  ['button', 'Settings'],
  ['button', 'Connected sites'],
]

/** Elements that must be found by role and name: once, unless a count is given. */
const names: Record<string, Name[]> = {
  start: [
    ['button', 'Create wallet'],
    ['button', 'Import wallet'],
  ],
  unlock: [
    ['button', 'Unlock'],
    ['button', 'Show password'],
    ['button', 'Forgot password'],
  ],
  home: HOME,
  'home-empty': [...HOME, ['heading', 'What to do next']],
  'send-recipient': [
    ['textbox', 'Recipient'],
    ['button', 'Paste'],
    ['button', 'Continue'],
    ['button', 'Back'],
    ['listbox', 'Contacts'],
    ['listbox', 'Your accounts'],
    ['option', /^Mira/],
  ],
  'send-recipient-empty': [['button', 'Add contact']],
  'send-recipient-new': [['button', 'Add to contacts']],
  'send-recipient-lookalike': [
    ['button', 'Use Mira instead'],
    ['checkbox', 'I understand this is not Mira.'],
    ['alert', ''],
  ],
  'send-recipient-error': [['alert', '']],
  'send-amount': [
    ['textbox', 'Amount'],
    ['combobox', 'Token, ETH'],
    ['button', 'Max'],
    ['button', 'Change'],
  ],
  'send-review': [
    ['heading', 'Review'],
    ['button', 'Send'],
  ],
  'send-insufficient': [['alert', '']],
  'send-short': [['alert', '']],
  receive: [
    ['button', 'Back'],
    ['button', 'Copy address'],
    ['heading', 'Receive'],
  ],
  'home-activity': [...HOME, ['button', /^Contract call/]],
  'home-activity-empty': [...HOME, ['heading', 'No activity on Ethereum yet']],
  'activity-pending': [
    ['button', 'Speed up'],
    ['button', 'Cancel transaction'],
    ['button', 'Copy hash'],
    ['progressbar', 'Waiting for confirmation'],
  ],
  'activity-signed': [
    ['button', 'Send'],
    ['button', 'Cancel transaction'],
    ['button', 'Discard'],
  ],
  'home-chain-reset': [...HOME, ['button', 'Clear']],
  'home-chain-reset-question': [
    ['dialog', 'Clear activity'],
    ['button', 'Cancel'],
  ],
  'home-reset': [...HOME, ['button', 'Dismiss']],
  'home-tokens': [...HOME, ['tab', 'Tokens'], ['tab', 'Activity'], ['button', 'Receive']],
  'home-loading': HOME,
  'home-waiting': [...HOME, ['button', '1 request is waiting']],
  'home-rpc-unreachable': [...HOME, ['button', 'Retry'], ['button', 'Use another RPC'], ['alert', '']],
  'home-no-rpc': [
    ['button', /^Choose a node for Kaia/],
    ['button', /^Receive KAIA/],
  ],
  welcome: [
    ['button', 'Create wallet'],
    ['button', 'Import wallet'],
  ],
  'settings-networks': [
    ['link', 'Networks'],
    ['link', 'Connected sites'],
    ['link', 'Security'],
    ['link', 'About'],
    ['link', 'Add network'],
    ['button', 'Lock'],
    ['button', 'Test'],
    ['button', 'Add node'],
    ['button', 'Hide network'],
    ['button', 'Use the node of Kaia'],
    ['combobox', 'Sort by'],
    ['textbox', 'RPC URL'],
    ['textbox', 'Signed-message network name'],
  ],
  'settings-network-error': [['alert', '']],
  'settings-network-new': [['textbox', 'Chain ID']],
  'settings-network-catalogue': [
    ['button', 'Add Base'],
    ['button', 'Add Base Sepolia'],
    ['link', 'Add a network that is not in the list'],
  ],
  'settings-network-nodes': [
    ['button', 'Ask first: public.kaia.example'],
    ['button', 'Remove rpc.home.example'],
    ['button', 'Test: rpc.home.example'],
  ],
  'settings-networks-many': [
    ['button', 'Show network'],
    ['heading', 'Hidden networks'],
  ],
  'home-choose-node': [
    ['button', 'Use the node of Kaia'],
    ['textbox', 'RPC URL'],
    ['button', 'Save'],
  ],
  'home-networks-searched': [['option', /^Orbit Testnet/]],
  'settings-allowances': [
    ['link', 'Allowances'],
    ['button', 'Look again'],
  ],
  'settings-allowances-start': [['button', 'Find allowances']],
  'settings-allowances-loading': [
    ['button', 'Cancel'],
    ['progressbar', 'Looking through the blocks'],
  ],
  'settings-allowances-none': [['heading', 'No allowances found']],
  'settings-allowances-many': [['button', 'Search further']],
  'settings-allowances-error': [['alert', '']],
  'settings-allowance-revoke': [['dialog', 'Revoke allowance']],
  'settings-contacts': [
    ['link', 'Contacts'],
    ['link', 'Add contact'],
    ['textbox', 'Name'],
    ['button', 'Copy address'],
    ['button', 'Remove contact'],
    ['button', 'Save'],
  ],
  'settings-contacts-empty': [['heading', 'No contacts yet']],
  'settings-contacts-long': [['checkbox', 'I understand this is not Mira.']],
  'settings-contact-known': [['alert', '']],
  'settings-sites': [
    ['button', 'Disconnect all'],
    ['button', 'Disconnect app.meridian.example'],
  ],
  'settings-sites-empty': [['heading', 'No connected sites']],
  'settings-interfaces': [
    ['button', 'Remove Meridian vault'],
    ['textbox', 'ABI (JSON)'],
    ['textbox', 'Contract address'],
    ['checkbox', 'Use it for any contract'],
    ['button', 'Add interface'],
  ],
  'settings-interfaces-wrong': [['alert', '']],
  'settings-interfaces-empty': [['heading', 'No interface was added']],
  'settings-delegation': [['button', 'End delegation']],
  'settings-delegation-failed': [['button', 'Retry']],
  'settings-end-delegation': [
    ['dialog', 'End the delegation'],
    ['combobox', 'Paid by'],
  ],
  'settings-end-delegation-poor': [['alert', '']],
  'settings-reset': [['button', 'Dismiss']],
  'settings-security': [
    ['combobox', 'Auto-lock'],
    ['switch', 'Ask for the password before every transaction'],
    ['switch', 'Allow signing data that cannot be read'],
    ['button', 'Change password'],
    ['button', 'Reveal phrase'],
    ['button', 'Remove wallet'],
  ],
  'settings-reveal-phrase': [
    ['dialog', 'Reveal recovery phrase'],
    ['checkbox', /^I understand/],
  ],
  'settings-about': [['button', 'Copy diagnostics']],
  'settings-accounts': [
    ['button', 'Reveal private key'],
    ['button', 'Export keystore file'],
    ['button', 'Hide account'],
    ['button', 'Remove account'],
    ['textbox', 'Account name'],
  ],
  'settings-add-account': [
    ['button', 'Find used accounts'],
    ['button', 'Watch'],
    ['tab', 'Keystore file'],
  ],
  'settings-import': [
    ['link', 'Import a phrase or a keystore file'],
    ['tab', 'Rainbow'],
    ['tab', 'Private keys'],
  ],
  'settings-import-other': [
    ['alert', ''],
    ['button', 'Show private key'],
  ],
  'settings-import-no-export': [['alert', '']],
  'settings-import-review': [
    ['checkbox', 'Savings'],
    ['checkbox', 'Orbit'],
    ['checkbox', 'Use this node: eth.home.example'],
    ['button', 'Import (2)'],
  ],
  'settings-import-many': [
    ['combobox', 'Add the addresses as'],
    ['button', 'Select none'],
    ['button', 'Show 50 more'],
  ],
  'settings-import-failed': [['alert', '']],
  'settings-import-done': [['heading', 'Imported']],
  'settings-phrase-accounts': [
    ['checkbox', "m/44'/60'/0'/0/2"],
    ['button', 'Add (1)'],
  ],
  'settings-phrase-accounts-failed': [['alert', '']],
  'settings-tokens': [
    ['button', 'Hide USDC'],
    ['button', 'Show CATS'],
    ['button', 'Search further'],
    ['textbox', 'Token contract'],
  ],
  'settings-tokens-searching': [
    ['button', 'Cancel'],
    ['progressbar', 'Looking for tokens'],
  ],
  'settings-tokens-refused': [['alert', '']],
  'settings-tokens-add': [['textbox', 'Symbol']],
  'settings-locked': [['button', 'Unlock']],
  'import-phrase': [
    ['tab', 'Recovery phrase'],
    ['tab', 'Private key'],
    ['tab', 'Keystore file'],
  ],
  'import-key': [
    ['button', 'Show private key'],
    ['button', 'Continue'],
  ],
  'import-keystore': [
    ['button', 'Remove file'],
    ['button', 'Cancel'],
    ['progressbar', 'Opening the file'],
  ],
  'import-keystore-refused': [['alert', '']],
  'import-password': [['button', 'Import wallet']],
  'set-up-networks': [
    ['button', 'Open wallet'],
    ['button', 'Continue'],
    ['heading', 'Choose your networks'],
  ],
  'set-up-networks-tested': [
    ['textbox', 'RPC URL'],
    ['button', 'Test'],
  ],
  'set-up-networks-refused': [['alert', '']],
  done: [
    ['button', 'Set up relay'],
    ['button', 'Open wallet'],
    ['heading', 'Your wallet is ready'],
  ],
  'home-relay-offline': [...HOME, ['button', 'Retry'], ['link', 'Relay status']],
  sessions: [
    ['heading', 'Remote sessions'],
    ['heading', '3 sessions'],
    ['button', 'Pair'],
    ['button', 'Back'],
    ['button', /^Quill Mobile/],
    ['button', 'Disconnect all'],
  ],
  'sessions-empty': [
    ['heading', 'No remote sessions'],
    ['button', 'Pair'],
  ],
  'sessions-no-relay': [['button', 'Add relay']],
  'sessions-offline': [
    ['alert', ''],
    ['button', 'Retry'],
    ['button', 'Change relay'],
    ['heading', '3 sessions'],
  ],
  'sessions-disconnect-all': [
    ['dialog', 'Disconnect all 3 sessions?'],
    ['button', 'Cancel'],
  ],
  'session-detail': [
    ['heading', 'Quill Mobile'],
    ['switch', 'Ask to sign messages'],
    ['switch', 'Ask to send transactions'],
    ['button', 'Ping'],
    ['button', 'Extend'],
    ['button', 'Disconnect'],
  ],
  pair: [
    ['tab', 'Paste'],
    ['tab', 'Scan'],
    ['textbox', 'Pairing link'],
    ['button', 'Paste'],
    ['button', 'Cancel'],
    ['button', 'Continue'],
  ],
  'pair-scan': [['button', 'Scan QR code']],
  'pair-relays': [['combobox', 'Relay']],
  'pair-mistake': [['alert', '']],
  'pair-refused': [['alert', '']],
  'pair-other-relay': [
    ['heading', 'This link uses another relay'],
    ['button', 'Add relay and pair'],
    ['button', 'Use my relay'],
    ['button', 'Cancel'],
  ],
  'pair-exposed-relay': [['alert', '']],
  'pair-waiting': [
    ['heading', 'Waiting for the app'],
    ['progressbar', 'Waiting for the app'],
  ],
  'pair-silent': [
    ['heading', 'No app has connected through this relay yet'],
    ['button', 'Copy'],
    ['combobox', 'Relay'],
  ],
  'session-detail-muted': [['button', 'Allow requests']],
  'pair-failed': [
    ['alert', ''],
    ['button', 'Use another link'],
  ],
  'pair-proposed': [['button', 'Show']],
  'settings-sessions': [
    ['link', 'Remote sessions'],
    ['button', 'Pair'],
    ['textbox', 'Relay URL'],
    ['button', 'Test'],
    ['button', 'Add relay'],
    ['button', 'Disconnect Quill Mobile'],
    ['button', 'Disconnect all'],
    ['link', 'Relay status of relay.home.example'],
    ['button', 'Remove relay.home.example'],
  ],
  'settings-sessions-empty': [['heading', 'No remote sessions']],
  'settings-relay-error': [['alert', '']],
  'settings-scan': [
    ['tab', 'Scan'],
    ['button', 'Use camera'],
    ['textbox', 'Pairing link'],
    ['button', 'Continue'],
  ],
  'approve-proposal': [...CONNECT, ['dialog', 'Quill Mobile Connect “Quill Mobile”?']],
  'approve-proposal-long': CONNECT,
  'approve-remote': [...DECIDE, ['dialog', 'Quill Mobile Sign a message']],
  'approve-remote-locked': [['button', 'Unlock']],
  'approve-connect': [
    ['button', 'Connect'],
    ['button', 'Reject'],
    ['checkbox', 'Trading'],
    ['checkbox', 'Treasury'],
    ['heading', 'Connect to this site?'],
    ['dialog', 'app.meridian.example Connect to this site?'],
  ],
  'approve-sign-text': [...DECIDE, ['button', 'Checks'], ['button', 'Copy'], ['heading', 'Sign a message']],
  'approve-sign-text-hostile': [...READ, ['button', 'Go to the end']],
  'approve-sign-hex': [...DECIDE, ['heading', 'Sign 48 bytes of data']],
  'approve-typed-unknown': [...DECIDE, ['button', 'More below'], ['heading', 'Sign “Delegation”']],
  'approve-typed-old': [...DECIDE, ['heading', 'Sign a list of values']],
  'approve-framed': [...DECIDE, ['dialog', /widget\.harbor\.example Sign a message$/]],
  'approve-switch-network': [...DECIDE, ['heading', 'Switch to Local chain?']],
  'approve-add-network': [...DECIDE, ['heading', 'Add “Orbit Testnet”']],
  'approve-add-rpc': [...DECIDE, ['heading', 'Use a new RPC for Kaia']],
  'approve-watch-asset': [...DECIDE, ['heading', 'Show “USDC” in the wallet']],
  'approve-calls': [...DECIDE, ['heading', 'Send 3 calls'], ['button', 'More below'], ['alert', '']],
  'approve-send-password': [
    ['dialog', 'Your password'],
    ['textbox', 'Password'],
    ['button', 'Continue'],
  ],
  'approve-send': [...DECIDE, ['heading', /^Send 0\.5\sETH$/]],
  'approve-send-token': [...DECIDE, ['heading', /^Send 250\sUSDC$/]],
  'approve-siwe': [...DECIDE, ['heading', 'Sign in to harbor.example'], ['button', 'Checks']],
  'approve-siwe-mismatch': [
    ...DECIDE,
    ['heading', 'Sign in to harbor.example'],
    ['checkbox', 'I understand harbor-rewards.example could use my account on harbor.example.'],
    ['alert', ''],
  ],
  'approve-permit': [...DECIDE, ['heading', /^Allow spending of 500\sUSDC$/]],
  'approve-permit-unlimited': [...DECIDE, ['heading', 'Allow spending of all your “USDC”'], ['alert', '']],
  'approve-order': [...DECIDE, ['heading', 'Sign an order']],
  'approve-order-bulk': [...DECIDE, ['heading', 'Sign several orders'], ['checkbox', /^I understand/], ['alert', '']],
  'approve-safe': [...DECIDE, ['heading', /^Allow spending of all your/], ['checkbox', /^I understand/], ['alert', '']],
  'approve-user-operation': [
    ...DECIDE,
    ['heading', 'Make calls from a smart account'],
    ['checkbox', /^I understand/],
    ['alert', ''],
  ],
  'approve-forward-request': [...DECIDE, ['heading', /^Allow spending of 500\sUSDC$/]],
  'approve-authorization': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-unusual': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-malformed': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-order-empty': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-connect-lookalike': [
    ['button', 'Connect'],
    ['button', 'Reject'],
    ['checkbox', 'I understand this is not meridian.example.'],
    ['alert', ''],
  ],
  'approve-send-lookalike': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-send-to-token': [...DECIDE, ['checkbox', /^I understand/], ['alert', '']],
  'approve-token-with-coins': [...DECIDE, ['heading', /^Contract call with 0.5\sETH$/]],
  'approve-limited': [...DECIDE, ['button', 'Set a limit'], ['heading', /^Allow spending of 250\sUSDC$/]],
  'approve-collection': [...DECIDE, ['heading', 'Allow moving of a whole collection'], ['alert', '']],
  'approve-contract-creation': [...DECIDE, ['heading', 'Deploy a contract'], ['heading', /^New contract/]],
  'approve-danger': [
    ...DECIDE,
    ['checkbox', 'I understand this contract could take all my USDC.'],
    ['button', 'Set a limit'],
    ['alert', ''],
  ],
  'approve-no-contract': [
    ...DECIDE,
    ['checkbox', 'I understand that I only send coins and get nothing in return.'],
    ['alert', ''],
  ],
  'approve-nonce-used': [...DECIDE, ['alert', '']],
  'approve-fee-excessive': [
    ...DECIDE,
    ['checkbox', 'I understand this fee is far above the usual fee.'],
    ['alert', ''],
  ],
  'approve-fee': [
    ...DECIDE,
    ['button', 'Edit fee'],
    ['radio', 'Slow'],
    ['radio', 'Normal'],
    ['radio', 'Fast'],
    ['radio', 'Custom'],
  ],
  'approve-fee-custom': [
    ...DECIDE,
    ['textbox', 'Max fee'],
    ['textbox', 'Priority fee'],
    ['textbox', 'Gas limit'],
    ['textbox', 'Nonce'],
    // The warning beside the fee, and the decision bar's announcements of presses and progress.
    ['status', '', 3],
  ],
  'approve-rpc-unreachable': [...DECIDE, ['button', 'Retry'], ['button', 'Use another RPC'], ['alert', '']],
  'approve-rpc-missing': [...DECIDE, ['button', 'Use another RPC'], ['alert', '']],
  'send-fee': [
    ['button', 'Save'],
    ['button', 'Cancel'],
    ['radio', 'Slow'],
    ['radio', 'Custom'],
    ['img', /^Base fee between 2.4 and 4\sgwei$/],
  ],
  'approve-insufficient': [...DECIDE, ['alert', ''], ['button', 'Receive ETH']],
  'approve-receive': [
    ['dialog', 'Receive ETH'],
    ['button', 'Copy address'],
  ],
  'approve-queue': [
    ...DECIDE,
    ['button', 'Previous request'],
    ['button', 'Next request'],
    ['button', 'Show all requests, 1 of 3'],
  ],
  'approve-locked': [
    ['button', 'Unlock'],
    ['button', 'Reject'],
    ['heading', 'Unlock to see this request'],
  ],
  'approve-nothing': [
    ['button', 'Close'],
    ['heading', 'This request expired'],
  ],
}

let previews: Previews

beforeAll(async () => {
  previews = await connectPreviews(inject('previews'))
})
afterAll(() => previews?.stop())

const turn = (page: Page, dir: 'ltr' | 'rtl') =>
  page.evaluate(dir => {
    document.documentElement.dir = dir
  }, dir)

const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}

test.for(Object.keys(screens))('%s', async name => {
  const { page, complaints } = await previews.show(name)
  expect(await layoutFaults(page)).toEqual([])
  expect(await violations(page, EVERYTHING)).toEqual([])
  expect(await page.evaluate(() => document.getAnimations().length), 'moving, with reduced motion').toBe(0)
  await shoot(page, `${name}.light`)
  for (const [role, label, count = 1] of names[name] ?? []) {
    const found = page.getByRole(role, label === '' ? {} : { name: label, exact: true })
    expect(await found.count(), `${role} ${label}`).toBe(count)
  }

  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, COLOURS), 'at night').toEqual([])
  await shoot(page, `${name}.dark`)
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  expect(await chosenFaults(page), 'with few colours').toEqual([])
  await shoot(page, `${name}.forced`)
  await page.emulateMedia({ forcedColors: 'none' })

  await turn(page, 'rtl')
  expect(await layoutFaults(page), 'from right to left').toEqual([])
  expect(await turnedFaults(page)).toEqual([])
  await shoot(page, `${name}.rtl`)
  await turn(page, 'ltr')

  await page.setViewportSize(ZOOMED[screens[name]?.page ?? 'popup'])
  expect(await layoutFaults(page), 'at 200 % zoom').toEqual([])
  await shoot(page, `${name}.zoomed`)
  expect(await focusFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

const IN_ARABIC = [
  'home-tokens',
  'home-activity',
  'send-review',
  'receive',
  'approve-connect',
  'approve-send-token',
  'approve-danger',
  'approve-siwe-mismatch',
  'approve-safe',
  'approve-typed-unknown',
  'import-phrase',
  'welcome',
  'settings-accounts',
  'settings-networks',
  'settings-sites',
]

test.for(IN_ARABIC)('%s in Arabic', async name => {
  const { page, complaints } = await previews.show(name, 'ar')
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    'ar',
    'rtl',
  ])
  expect(await layoutFaults(page)).toEqual([])
  expect(await turnedFaults(page)).toEqual([])
  await shoot(page, `${name}.ar`)
  await page.setViewportSize(ZOOMED[screens[name]?.page ?? 'popup'])
  expect(await layoutFaults(page), 'at 200 % zoom').toEqual([])
  expect(complaints).toEqual([])
})
