import { toAddress } from '@heliograph/shared/evm/address'
import { SHORT_NAME_CHAINS } from '@heliograph/shared/pasted/short-names'
import { expect, test } from 'vitest'
import { ADDRESS, createdWallet, listedNetworks } from '../wallet.fixture.ts'

const T = toAddress('0x00a1b2c3d4e5f60718293a4b5c6d7e8f90abcdef')
const PASTED = T.toLowerCase()

const start = async () => {
  const { wallet } = await createdWallet()
  await wallet.ui.addListedNetwork({ chainId: 1 }).catch(() => null)
  return wallet.ui
}

test.each([
  ['eth:T', `eth:${PASTED}`],
  ['ethereum:T', `ethereum:${PASTED}`],
  ['T surrounded by spaces', `  ${PASTED}  `],
  ['eip155:1:T', `eip155:1:${PASTED}`],
  ['eth:T with EIP-55 casing', `eth:${T}`],
  ['1:T', `1:${PASTED}`],
  ["a block explorer's page", `https://etherscan.io/address/${PASTED}#code`],
])('Send on Ethereum: %s is T', async (_, text) => {
  const ui = await start()
  expect(await ui.reviewAddress({ address: text, chainId: 1 })).toMatchObject({ address: T, payment: null })
})

test.each([
  ['ethereum:T@10', `ethereum:${PASTED}@10`],
  ['oeth:T', `oeth:${PASTED}`],
  ['eip155:10:T', `eip155:10:${PASTED}`],
])('Send on Ethereum: %s is refused, and the error names the network', async (_, text) => {
  const ui = await start()
  await expect(ui.reviewAddress({ address: text, chainId: 1 })).rejects.toMatchObject({
    code: -32602,
    reason: 'addressOfOtherNetwork',
    values: { other: 'OP Mainnet', chainId: 10, network: 'Ethereum' },
  })
})

test('a network that the wallet does not know is refused too', async () => {
  const ui = await start()
  const review = (address: string) => ui.reviewAddress({ address, chainId: 1 })
  await expect(review(`ethereum:${T}@987654`)).rejects.toMatchObject({ reason: 'addressOfOtherChain' })
  await expect(review(`xyz:${T}`)).rejects.toMatchObject({ reason: 'unknownShortName', values: { name: 'xyz' } })
})

test('the error for an address with missing or extra digits says how many', async () => {
  const ui = await start()
  const review = (address: string) => ui.reviewAddress({ address, chainId: 1 })
  for (const missing of [1, 2, 7, 40]) {
    const values = { digits: 40 - missing, missing }
    await expect(review(T.slice(0, -missing))).rejects.toMatchObject({ reason: 'addressShort', values })
    await expect(review(`eth:${T.slice(0, -missing)}`)).rejects.toMatchObject({ reason: 'addressShort', values })
  }
  await expect(review(`${T}ab`)).rejects.toMatchObject({ reason: 'addressLong', values: { spare: 2 } })
})

test('a shortened address is refused with its own error', async () => {
  const ui = await start()
  for (const between of ['…', '...', '..', '****'])
    for (const before of ['', 'eth:', 'ethereum:'])
      await expect(ui.reviewAddress({ address: `${before}0x00a1${between}cdef`, chainId: 1 })).rejects.toMatchObject({
        code: -32602,
        reason: 'addressShortened',
      })
})

test('digits that only look like hex digits are refused', async () => {
  const ui = await start()
  for (const wrong of [`О${T.slice(1)}`, `0х${T.slice(2)}`, T.replace('a1', 'а1'), T.replace('0718', 'O718')])
    await expect(ui.reviewAddress({ address: wrong, chainId: 1 })).rejects.toMatchObject({ reason: 'notAddress' })
})

test('a wrong EIP-55 checksum is refused in every form', async () => {
  const ui = await start()
  const wrong = ADDRESS.replace('f39Fd', 'F39Fd')
  for (const text of [wrong, `eth:${wrong}`, `ethereum:${wrong}`, `eip155:1:${wrong}`])
    await expect(ui.reviewAddress({ address: text, chainId: 1 })).rejects.toMatchObject({ reason: 'wrongChecksum' })
})

test("a payment link's amount and token are read, and it is refused if either is unreadable", async () => {
  const ui = await start()
  const review = (address: string) => ui.reviewAddress({ address, chainId: 1 })
  const coins = await review(`ethereum:${PASTED}@1?value=2.014e18`)
  expect(coins).toMatchObject({ address: T, payment: { token: null, amount: '0x1bf32a5451a30000' } })
  const tokens = await review(`ethereum:${ADDRESS}/transfer?address=${PASTED}&uint256=5`)
  expect(tokens).toMatchObject({ address: T, payment: { token: ADDRESS, amount: '0x5' } })
  await expect(review(`ethereum:${T}?value=lots`)).rejects.toMatchObject({ reason: 'paymentAmount' })
  await expect(review(`ethereum:${T}/mint?uint256=1`)).rejects.toMatchObject({ reason: 'paymentFunction' })
  await expect(review(`ethereum:${T}?value=1&data=0xd0e30db0`)).rejects.toMatchObject({ reason: 'paymentFunction' })
  await expect(review(`ethereum:${T}?value=1&value=2`)).rejects.toMatchObject({ reason: 'paymentAmount' })
})

test('contacts and watch-only accounts accept the same forms of an address', async () => {
  const ui = await start()
  await ui.saveContact({ address: `eth:${PASTED}`, name: 'Tia' })
  expect((await ui.getState(null)).contacts).toEqual([{ address: T, name: 'Tia' }])
  const shop = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  expect(await ui.addWatchOnly({ address: `ethereum:${shop}@1`, name: 'Shop' })).toMatchObject({ address: shop })
})

test('the short names refer to networks in the catalogue', async () => {
  const listed = new Set((await listedNetworks()).map(({ chainId }) => chainId))
  expect(Object.entries(SHORT_NAME_CHAINS).filter(([, chainId]) => !listed.has(chainId))).toEqual([])
})
