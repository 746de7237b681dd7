import { expect, test } from 'vitest'
import { trustedInMemory } from '../keys/sealed-cell.fixture.ts'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { createFound, type FoundToken, MAX_ALL, MAX_FOUND, MAX_ITEMS, withMoves } from './found.ts'

const addressOf = (at: number) => `0x${at.toString(16).padStart(40, '0')}` as const
const found = (at: number, choice: FoundToken['choice'] = null): FoundToken => ({
  address: addressOf(at),
  kind: 'erc20',
  ids: [],
  symbol: null,
  decimals: null,
  choice,
})
const secrets = { stateKey: '07'.repeat(32) }
const vault = { read: async () => secrets, peek: async () => secrets, update: async () => secrets } as never

test('the number of found tokens per account, and of items per collection, is limited', () => {
  const move = { from: ADDRESS, to: SECOND, amount: 1n } as const
  const many = Array.from({ length: MAX_FOUND + 5 }, (_, at) => ({
    ...move,
    kind: 'erc20',
    token: addressOf(at + 1),
    id: null,
  }))
  expect(withMoves([], many as never)).toHaveLength(MAX_FOUND)
  const items = Array.from({ length: MAX_ITEMS + 5 }, (_, at) => ({
    ...move,
    kind: 'erc1155',
    token: addressOf(1),
    id: BigInt(at),
  }))
  expect(withMoves([], items as never)[0]?.ids).toHaveLength(MAX_ITEMS)
})

test('beyond the total limit, undecided tokens of other accounts are dropped and searched again', async () => {
  const known = createFound({ store: memoryStore(), vault, trusted: trustedInMemory() })
  const tokens = Array.from({ length: MAX_FOUND }, (_, at) => found(at + 1, at === 0 ? 'shown' : null))
  const owners = Array.from({ length: Math.ceil(MAX_ALL / MAX_FOUND) + 1 }, (_, at) => ({
    chainId: at + 1,
    account: addressOf(1),
  }))
  const finds = { looked: { from: 0, to: 9 }, tokens }
  for (const owner of owners.slice(0, -1)) await known.update(owner, () => finds)
  const [first, last] = [owners[0], owners.at(-2)] as [(typeof owners)[0], (typeof owners)[0]]
  expect(await known.of(last)).toEqual(finds)
  expect(await known.of(first)).toEqual({ looked: null, tokens: [found(1, 'shown')] })
})
