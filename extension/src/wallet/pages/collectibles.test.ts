import { toAddress } from '@heliograph/shared/evm/address'
import { functions } from '@heliograph/shared/evm/functions'
import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { ADDRESS, createdWallet, SECOND, startNode } from '../wallet.fixture.ts'

const CATS = `0x${'ca'.repeat(20)}`
const GEAR = `0x${'9e'.repeat(20)}`
const CID = `Qm${'a'.repeat(44)}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

const word = (value: bigint | number | string) => BigInt(value).toString(16).padStart(64, '0')
const textWords = (text: string) => {
  const hex = Buffer.from(text).toString('hex')
  return `0x${word(32)}${word(hex.length / 2)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}

/** The account holds items 7 and 9 of CATS, used to hold item 8, and holds 5 of item 3 of GEAR. */
const owners: Record<string, string> = { 7: ADDRESS, 8: SECOND, 9: ADDRESS }
const answerOf = ({ to, data }: { to: string; data: string }): string => {
  const id = BigInt(`0x${data.slice(10).slice(-64) || '0'}`)
  const isCats = to.toLowerCase() === CATS
  const answers: Record<string, string | undefined> = {
    '0x95d89b41': textWords(isCats ? 'CATS' : 'GEAR'),
    '0x01ffc9a7': `0x${word(data.slice(10, 18) === (isCats ? '80ac58cd' : 'd9b67a26') ? 1 : 0)}`,
    '0x70a08231': isCats ? `0x${word(2)}` : undefined,
    '0x6352211e': `0x${word(owners[String(id)] ?? 0)}`,
    '0x00fdd58e': `0x${word(id === 3n ? 5 : 0)}`,
    '0xc87b56dd': textWords(`ipfs://${CID}/7`),
  }
  const answer = to.toLowerCase() === MULTICALL ? '0x' : answers[data.slice(0, 10)]
  if (answer === undefined) throw nodeError({ code: 3, message: 'execution reverted' })
  return answer
}
const logOf = (id: number) => ({ address: CATS, topics: [TRANSFER, word(SECOND), word(ADDRESS), word(id)].map(hex) })
const hex = (digits: string) => (digits.startsWith('0x') ? digits : `0x${digits}`)
const node = () =>
  startNode({
    eth_blockNumber: () => '0x64',
    eth_getCode: () => '0x',
    eth_call: ([call]) => answerOf(call as { to: string; data: string }),
    eth_getLogs: ([filter]) =>
      (filter as { topics: unknown[] }).topics[0] === TRANSFER
        ? [7, 8, 9].map(id => ({ ...logOf(id), data: '0x' }))
        : [
            {
              address: GEAR,
              topics: [SINGLE, word(SECOND), word(SECOND), word(ADDRESS)].map(hex),
              data: `0x${word(3)}${word(5)}`,
            },
          ],
  })

const here = { address: ADDRESS, chainId: 31337 }
const MINED = { ...here, token: CATS, id: '7' }
const foundWallet = async (files: Record<string, unknown> = {}) => {
  const { chain, sent } = node()
  const asked: string[] = []
  const headless = await createdWallet({
    chain,
    download: async url => {
      asked.push(url)
      return new Uint8Array(new TextEncoder().encode(JSON.stringify(files[url] ?? {})))
    },
  })
  await headless.wallet.ui.findTokens(here)
  return { ...headless, asked, sent }
}

test("shown collections' items are listed with their amounts", async () => {
  const { wallet } = await foundWallet()
  expect(await wallet.ui.getHoldings(here)).toMatchObject({ collections: [], offered: 2 })
  await wallet.ui.showToken({ ...here, token: CATS })
  await wallet.ui.showToken({ ...here, token: GEAR })
  const items = [
    { id: '7', amount: '1' },
    { id: '9', amount: '1' },
  ]
  const collections = [
    { kind: 'erc721', name: 'CATS', items: '2', held: items },
    { kind: 'erc1155', name: 'GEAR', items: '1', held: [{ id: '3', amount: '5' }] },
  ]
  expect(await wallet.ui.getHoldings(here)).toMatchObject({ collections, offered: 0 })
  expect(await wallet.ui.getKept(here)).toMatchObject({ collections })
  await wallet.ui.hideToken({ ...here, token: GEAR })
  expect((await wallet.ui.getHoldings(here)).collections).toHaveLength(1)
})

test('collections that are not shown are not read', async () => {
  const { wallet, asked } = await foundWallet()
  await wallet.ui.setGateways({ ipfs: 'https://gateway.example', arweave: null })
  await expect(wallet.ui.describeItem(MINED)).rejects.toMatchObject({ reason: 'noToken' })
  await wallet.ui.showToken({ ...here, token: CATS })
  await wallet.ui.hideToken({ ...here, token: CATS })
  await expect(wallet.ui.describeItem(MINED)).rejects.toMatchObject({ reason: 'noToken' })
  expect(asked).toEqual([])
})

test('a cached item is returned without a query, and only while its collection is shown', async () => {
  const url = `https://gateway.example/ipfs/${CID}/7`
  const { wallet, asked } = await foundWallet({ [url]: { name: 'USDС' } })
  await wallet.ui.setGateways({ ipfs: 'https://gateway.example', arweave: null })
  await wallet.ui.showToken({ ...here, token: CATS })
  expect(await wallet.ui.getCachedItem(MINED)).toBeNull()
  expect(asked).toEqual([])
  await wallet.ui.describeItem(MINED)
  expect(await wallet.ui.getCachedItem(MINED)).toMatchObject({ name: 'USDС', imitates: 'USDC', missing: 'none' })
  expect(await wallet.ui.getCachedItem({ ...MINED, id: '9' })).toBeNull()
  await wallet.ui.hideToken({ ...here, token: CATS })
  expect(await wallet.ui.getCachedItem(MINED)).toBeNull()
  expect(asked).toEqual([url])
})

test('gateways are chosen, changed and removed, and are read only while unlocked', async () => {
  const url = `https://gateway.example/ipfs/${CID}/7`
  const { wallet, asked } = await foundWallet({ [url]: { name: 'USDС' } })
  await wallet.ui.showToken({ ...here, token: CATS })
  expect(await wallet.ui.getGateways(null)).toEqual({ ipfs: null, arweave: null })
  expect(await wallet.ui.describeItem(MINED)).toMatchObject({ missing: 'noGateway', imitates: null })
  await wallet.ui.setGateways({ ipfs: 'https://gateway.example', arweave: '' })
  expect(await wallet.ui.getGateways(null)).toEqual({ ipfs: 'https://gateway.example/', arweave: null })
  expect(await wallet.ui.describeItem(MINED)).toMatchObject({ name: 'USDС', imitates: 'USDC', missing: 'none' })
  expect(asked).toEqual([url])
  await expect(wallet.ui.setGateways({ ipfs: 'ipfs', arweave: null })).rejects.toMatchObject({ reason: 'notGateway' })
  await wallet.ui.setGateways({ ipfs: null, arweave: null })
  expect(await wallet.ui.describeItem(MINED)).toMatchObject({ missing: 'noGateway' })
  await wallet.ui.lock(null)
  await expect(wallet.ui.getGateways(null)).rejects.toMatchObject({ code: 4100 })
})

test.each([
  ['erc721', CATS, '7', '0x1', 'safeTransferFrom(address,address,uint256)', []],
  ['erc1155', GEAR, '3', '0x2', 'safeTransferFrom(address,address,uint256,uint256,bytes)', [2, 160, 0]],
] as const)('an %s item is sent as it was reviewed', async (kind, token, id, amount, signature, more) => {
  const { wallet, sent } = await foundWallet()
  const input = { from: ADDRESS, chainId: 31337, to: SECOND, token, item: { kind, id }, amount }
  const { effect } = await wallet.ui.reviewSend(input)
  expect(effect).toMatchObject({ to: expect.stringMatching(new RegExp(token, 'i')), value: '0x0' })
  expect(effect.acts).toMatchObject([
    { kind: 'transfer', to: SECOND, id, amount: String(BigInt(amount)) },
    { kind: 'call', contract: toAddress(token), readable: true },
  ])
  await wallet.ui.sendOwn({ ...input, id: 'one' })
  const words = [ADDRESS, SECOND, id, ...more].map(word).join('')
  expect(sent[0]).toContain(words)
  expect(functions.some(line => line.replace(/ \w+(?=[,)])/g, '').replaceAll(' ', '') === signature)).toBe(true)
})
