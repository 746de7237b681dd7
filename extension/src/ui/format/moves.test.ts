import { expect, test } from 'vitest'
import type { MoveView } from '../../messages.ts'
import { moveAmount } from './moves.ts'
import { NO_BREAK_SPACE } from './numbers.ts'

const move: MoveView = {
  ...{ kind: 'erc20', token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', id: null, symbol: 'USDC', decimals: 6 },
  ...{ listed: true, amount: '250000000', counterpart: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
}

test('a moved amount is exact, and a name that only the contract claims is in quotes', () => {
  expect(moveAmount(move)).toBe(`250${NO_BREAK_SPACE}USDC`)
  expect(moveAmount({ ...move, listed: false })).toBe(`250${NO_BREAK_SPACE}“USDC”`)
  expect(moveAmount({ ...move, symbol: null })).toBe(`250${NO_BREAK_SPACE}0xA0b8…eB48`)
  expect(moveAmount({ ...move, decimals: null })).toBe('USDC')
  const item: MoveView = { ...move, kind: 'erc1155', decimals: null, id: '7', amount: '1' }
  expect([moveAmount(item), moveAmount({ ...item, amount: '3' })]).toEqual(['USDC #7', 'USDC #7 × 3'])
})
