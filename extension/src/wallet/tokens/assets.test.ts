import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, ADDRESS_LOWER, SECOND } from '../wallet.fixture.ts'
import { createAssets } from './assets.ts'

const token = { chainId: 1, address: ADDRESS, symbol: 'ONE', decimals: 18 } as const

test('a token is stored once per network, with its latest data', async () => {
  const store = memoryStore()
  const assets = createAssets(store)
  await assets.add(token)
  await assets.add({ ...token, chainId: 8217 })
  await assets.add({ ...token, address: SECOND })
  await assets.add({ ...token, address: ADDRESS_LOWER as `0x${string}`, symbol: 'UNO' })
  expect((await createAssets(store).list()).map(({ chainId, symbol }) => [chainId, symbol])).toEqual([
    [8217, 'ONE'],
    [1, 'ONE'],
    [1, 'UNO'],
  ])
})
