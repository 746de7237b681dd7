import { expect, test } from 'vitest'
import type { Effect, Finding, FindingName } from '../../messages.ts'
import { addressMarks, checksOf, inWords } from './findings.ts'
import { network } from './summary.fixture.ts'

const effect: Effect = { kind: 'connect', accounts: [], connected: [], only: null }

test('amounts are shown with their unit', () => {
  const values = [580_000_000_000_000n, 190_000_000_000_000n, 390_000_000_000_000n].map(String)
  const { title, text } = inWords({ level: 'blocked', name: 'insufficientFunds', values }, { network, effect })
  expect(title).toBe('Not enough ETH for this')
  expect(text).toBe('This needs up to 0.00058 ETH. The account holds 0.00019 ETH, so it is short by 0.00039 ETH.')
})

test('counts have digit grouping; reasons of a node are shown unchanged', () => {
  expect(inWords({ level: 'caution', name: 'createsContract', values: ['6214'] }, { network, effect }).text).toContain(
    '6,214 bytes',
  )
  const gas = inWords({ level: 'caution', name: 'gasTooLow', values: ['21000', '131546'] }, { network, effect })
  expect(gas.text).toContain('a gas limit of 21,000, but about 131,546 is needed')
  const reason = 'execution reverted: "$1"'
  expect(inWords({ level: 'caution', name: 'likelyToFail', values: [reason] }, { network, effect }).text).toContain(
    reason,
  )
  expect(
    inWords({ level: 'caution', name: 'likelyToFail', values: ['', 'panicDivision'] }, { network, effect }).text,
  ).toContain('The node says: Division by zero.')
})

test("prices are in gwei, and balances in the network's currency", () => {
  const wordsOf = (name: FindingName, ...values: (bigint | number)[]) =>
    inWords({ level: 'danger', name, values: values.map(String) }, { network, effect })
  const excessive = wordsOf('excessiveFee', 12, 84_000_000_000n, 7_200_000_000n)
  expect(excessive.text).toContain('up to 84 gwei per unit of gas, at least 12 times the current fast price (7.2 gwei)')
  const share = wordsOf('feeOfBalance', 3n * 10n ** 17n, 10n ** 18n)
  expect(share.text).toContain('up to 0.3 ETH, and the account holds 1.0000 ETH')
  expect(share.loss).toBe('I understand the fee can be up to 0.3 ETH.')
  expect(wordsOf('gasPriceJumped', 720_000_000_000n, 7_200_000_000n, Date.UTC(2025, 10, 20, 12)).text).toMatch(
    /the fast price is now 720 gwei\. On .+2025, this wallet saw 7\.2 gwei/,
  )
})

test('a long message causes a caution', () => {
  const asked = (text: string) => {
    const message = { kind: 'message', text, bytes: '0x', signIn: null } as Effect
    const request = { network, effect: message, findings: [], origin: 'https://site.example', since: null }
    return checksOf(request).map(({ level, name }) => `${level} ${name}`)
  }
  expect(asked('a'.repeat(4_000))).toEqual([])
  expect(asked('a'.repeat(4_001))).toEqual(['caution longMessage'])
})

test('a danger has a text for its confirmation checkbox', () => {
  expect(inWords({ level: 'danger', name: 'unlimitedAllowance', values: [] }, { network, effect }).loss).toMatch(
    /^I understand /,
  )
  expect(inWords({ level: 'danger', name: 'approvalForAll', values: [] }, { network, effect }).loss).toMatch(
    /^I understand /,
  )
})

test('a finding about several things has a text without values', () => {
  for (const name of [
    'createsContract',
    'gasTooLow',
    'malformedCall',
    'unlimitedAllowance',
    'sentToToken',
    'highFee',
    'excessiveFee',
  ] as const) {
    const { title, text } = inWords({ level: 'caution', name, values: [] }, { network, effect })
    expect(`${title} ${text}`).not.toMatch(/undefined| {2}| [.,:]|: ?\.|^ /)
    expect(text).not.toBe('')
  }
})

test('0 of a token with unknown decimals is not shown as an amount', () => {
  const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const tokens = [{ address: token, symbol: 'PUNK', decimals: 0, balance: null, listed: false }]
  const calls = { kind: 'calls', calls: [{ acts: [], tokens }] } as unknown as Effect
  const { text } = inWords(
    { level: 'caution', name: 'unknownSpender', values: [token, '0'] },
    { network, effect: calls },
  )
  expect(text).toContain('The spender can take what you allow')
})

test('each finding of the judge has a title, a text and, as a danger, a confirmation, with its values', () => {
  const [to, token] = ['0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48']
  const findings: Partial<Record<FindingName, readonly string[]>> = {
    allowanceOfMost: [token, '90', to],
    allowsNoCode: [token, '90', to],
    approvalForAll: [token, '', to],
    behavesDifferently: [],
    delegateCall: [to],
    dustOrder: [],
    emptyOrder: [],
    gainElsewhere: [to],
    givesControl: ['owner', to, token],
    handsOverAccount: [],
    itemAllowance: [token, '7', to],
    mostOfAsset: [to, token, '90'],
    sentToToken: [token],
    tooManyAllowances: [],
    unexplainedLoss: [],
    unlimitedAllowance: [token, '', to],
  }
  for (const [name, values] of Object.entries(findings)) {
    const finding: Finding = { level: 'danger', name: name as FindingName, values: values ?? [] }
    const { title, text, loss } = inWords(finding, { network, effect })
    for (const words of [title, text, loss]) {
      expect(words, name).not.toBe('')
      expect(words, name).not.toMatch(/undefined|\$\d|NaN| {2}|\(\)/)
    }
    expect(loss, name).toMatch(/^I understand /)
  }
})

test('cautions of the judge name the party, in short', () => {
  const to = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
  const words = (name: FindingName, ...values: string[]) => {
    const { title, text } = inWords({ level: 'caution', name, values }, { network, effect })
    return `${title} ${text}`
  }
  expect(words('coinsToUnknown', to, '', '100000000000000000')).toMatch(/0x1f37…B1b6/)
  expect(words('coinsToUnknown', to, '', '100000000000000000')).toMatch(/0\.1.ETH/)
  expect(words('unknownContract', to)).toMatch(/0x1f37…B1b6/)
  for (const name of ['firstRecipient', 'unknownCall', 'unknownSpender'] as const)
    expect(words(name, to, '', '5')).not.toMatch(/undefined|\$\d/)
  // A signature need not name a contract, so the text must read well without one.
  expect(words('unknownContract', '')).not.toMatch(/undefined|\$\d|\(\)| {2}/)
})

test('lists that a typed address was not compared with are named beside it', () => {
  const findings = (['firstRecipient', 'contactsMissing', 'activityMissing', 'assetsMissing'] as const).map(name => ({
    level: 'caution' as const,
    name,
    values: [],
  }))
  const marks = addressMarks(findings)
  expect(marks.map(({ name }) => name)).toEqual(['contactsMissing', 'activityMissing'])
  for (const { title, text } of marks) expect([title, text]).not.toContain('')
})
