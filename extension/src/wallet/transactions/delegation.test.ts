import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { Transaction, verifyAuthorization } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, type Answers, createdWallet, SECOND, startNode } from '../wallet.fixture.ts'

const DELEGATE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const DESIGNATION = `0xef0100${DELEGATE.slice(2).toLowerCase()}`
const OWN = { address: ADDRESS, chainId: 31337 }
const ZERO = `0x${'0'.repeat(40)}`

const start = async (answers: Answers = {}) => {
  const { chain, sent } = startNode({
    eth_getCode: () => DESIGNATION,
    eth_getTransactionCount: ([account]) => (account === ADDRESS ? '0x5' : '0x9'),
    ...answers,
  })
  const { wallet } = await createdWallet({ chain })
  await wallet.ui.addAccount({ name: 'Second' })
  return { ui: wallet.ui, sent }
}

test('a delegation is recognized by its code, and other code is not a delegation', async () => {
  expect(await (await start()).ui.getDelegation(OWN)).toBe(DELEGATE)
  for (const code of [
    '0x',
    '0x6001',
    `${DESIGNATION}00`,
    DESIGNATION.slice(0, -2),
    DESIGNATION.replace('ef01', 'ef00'),
    null,
  ])
    expect(await (await start({ eth_getCode: () => code })).ui.getDelegation(OWN), String(code)).toBeNull()
})

test("the authorization is for the zero address, this chain, and the account's nonce at execution", async () => {
  const fees = { maxFeePerGas: '0x12c', maxPriorityFeePerGas: '0x7' }
  const paidBy = async (payer: string) => {
    const { ui, sent } = await start()
    await ui.removeDelegation({ ...OWN, payer, id: payer, fees })
    return Transaction.from(String(sent[0]))
  }
  const [helped, own] = [await paidBy(SECOND), await paidBy(ADDRESS)]
  for (const { type, to, value, data, authorizationList, maxFeePerGas } of [own, helped]) {
    expect([type, to, value, data, maxFeePerGas]).toEqual([4, ADDRESS, 0n, '0x', 300n])
    expect(authorizationList).toMatchObject([{ address: ZERO, chainId: 31337n }])
    for (const { signature, ...consent } of authorizationList ?? [])
      expect(verifyAuthorization(consent, signature)).toBe(ADDRESS)
  }
  expect([own.from, own.nonce, own.authorizationList?.[0]?.nonce]).toEqual([ADDRESS, 5, 6n])
  expect([helped.from, helped.nonce, helped.authorizationList?.[0]?.nonce]).toEqual([SECOND, 9, 5n])
})

test('if another account pays, no transaction may be pending, as it would change the nonce', async () => {
  let pool = '0x6'
  const { ui, sent } = await start({
    eth_getTransactionCount: ([account, tag]) => (account !== ADDRESS ? '0x9' : tag === 'latest' ? '0x5' : pool),
  })
  const removal = { ...OWN, payer: SECOND, id: 'a' }
  await expect(ui.removeDelegation(removal)).rejects.toMatchObject({
    code: -32602,
    message: 'The account has pending transactions. Wait until they are confirmed.',
  })
  expect(sent).toEqual([])
  pool = '0x5'
  await ui.removeDelegation(removal)
  expect(sent).toHaveLength(1)
})

test("the fee is shown in advance and compared with the payer's balance", async () => {
  const { ui, sent } = await start({
    eth_getBalance: ([account]) => (account === SECOND ? '0x5' : encodeQuantity(10n ** 18n)),
  })
  expect(await ui.reviewRemoval({ ...OWN, payer: ADDRESS })).toEqual({
    fee: {
      gas: encodeQuantity(100_000),
      used: encodeQuantity(100_000),
      expected: encodeQuantity(100_000 * 102),
      atMost: encodeQuantity(100_000 * 202),
    },
    fees: { maxFeePerGas: '0xca', maxPriorityFeePerGas: '0x2' },
    findings: [],
  })
  const poor = { ...OWN, payer: SECOND }
  expect((await ui.reviewRemoval(poor)).findings).toMatchObject([{ level: 'blocked', name: 'insufficientFunds' }])
  await expect(ui.removeDelegation({ ...poor, id: 'a' })).rejects.toMatchObject({ code: -32000 })
  expect(sent).toEqual([])
})

test("the fee is reviewed like any other, including jumps of the node's price", async () => {
  const gwei = 10n ** 9n
  let tip = 2n
  const { ui } = await start({ eth_maxPriorityFeePerGas: () => encodeQuantity(tip) })
  const found = async (price?: bigint) => {
    const fees = price && { maxFeePerGas: encodeQuantity(price), maxPriorityFeePerGas: encodeQuantity(price) }
    const { findings } = await ui.reviewRemoval({ ...OWN, payer: ADDRESS, ...(fees && { fees }) })
    return findings.map(({ level, name }) => `${level} ${name}`)
  }
  expect(await found()).toEqual([])
  expect(await found(4n * gwei)).toEqual(['caution highFee'])
  expect(await found(20n * gwei)).toEqual(['danger excessiveFee'])
  tip = 50n * gwei
  expect(await found()).toEqual(['danger excessiveFee', 'caution gasPriceJumped'])
})

test("nothing is signed without a delegation, a key or the network's support", async () => {
  const plain = await start({ eth_getCode: () => '0x' })
  await expect(plain.ui.removeDelegation({ ...OWN, payer: ADDRESS, id: 'a' })).rejects.toMatchObject({ code: -32602 })
  const legacy = await start({ eth_getBlockByNumber: () => ({}) })
  await expect(legacy.ui.removeDelegation({ ...OWN, payer: ADDRESS, id: 'a' })).rejects.toMatchObject({ code: -32004 })
  const { ui, sent } = await start()
  await ui.addWatchOnly({ address: DELEGATE, name: 'Watched' })
  for (const [address, payer] of [
    [DELEGATE, ADDRESS],
    [ADDRESS, DELEGATE],
    [ADDRESS, ZERO],
  ] as const)
    await expect(ui.removeDelegation({ ...OWN, address, payer, id: 'a' })).rejects.toMatchObject({ code: 4100 })
  const fees = { gasPrice: '0x5' }
  await expect(ui.removeDelegation({ ...OWN, payer: ADDRESS, id: 'a', fees })).rejects.toMatchObject({ code: -32602 })
  await ui.lock(null)
  await expect(ui.removeDelegation({ ...OWN, payer: ADDRESS, id: 'a' })).rejects.toMatchObject({ code: 4100 })
  expect([plain.sent, legacy.sent, sent]).toEqual([[], [], []])
})

test('a speed-up has the same authorization with a higher fee', async () => {
  const { ui, sent } = await start()
  const hash = await ui.removeDelegation({ ...OWN, payer: SECOND, id: 'a' })
  await ui.speedUp({ hash })
  const [slow, fast] = sent.map(raw => Transaction.from(raw)) as [Transaction, Transaction]
  expect([fast.type, fast.nonce, fast.to]).toEqual([4, slow.nonce, ADDRESS])
  expect(fast.authorizationList).toEqual(slow.authorizationList)
  expect(Number(fast.maxFeePerGas)).toBeGreaterThan(Number(slow.maxFeePerGas))
})

test('a pending revocation is not repeated by any payer', async () => {
  let receipt: object | null = null
  const { ui, sent } = await start({ eth_getTransactionReceipt: () => receipt })
  const hash = await ui.removeDelegation({ ...OWN, payer: ADDRESS, id: 'page 1' })
  expect(await ui.removeDelegation({ ...OWN, payer: SECOND, id: 'page 2' })).toBe(hash)
  await expect(ui.reviewRemoval({ ...OWN, payer: SECOND })).rejects.toMatchObject({
    code: -32602,
    reason: 'delegationEnding',
    values: { hash },
  })
  expect(sent).toHaveLength(1)

  // A delegation that was revoked, and granted again before the wallet checked, can be revoked again.
  receipt = { status: '0x1', blockNumber: '0x10' }
  await ui.removeDelegation({ ...OWN, payer: ADDRESS, id: 'page 3' })
  expect(sent).toHaveLength(2)
})
