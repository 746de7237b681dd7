import { expect, test } from 'vitest'
import type { ValueView } from '../../messages.ts'
import { bindSteps, parsePath, select } from './paths.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const value = (name: string, type: string, of: ValueView['value']): ValueView => ({ name, type, value: of })
const data = value('', '', [
  value('to', 'address', ADDRESS),
  value('packed', 'uint256', String(BigInt(`0xff${ADDRESS.slice(2)}`))),
  value('orders', '(uint8,uint8[])[]', [
    value('[0]', '(uint8,uint8[])', [
      value('id', 'uint8', '7'),
      value('sizes', 'uint8[]', [value('[0]', 'uint8', '1')]),
    ]),
    value('[1]', '(uint8,uint8[])', [
      value('id', 'uint8', '8'),
      value('sizes', 'uint8[]', [value('[0]', 'uint8', '2'), value('[1]', 'uint8', '3')]),
    ]),
  ]),
])
const valuesAt = (path: string, most = 10) =>
  select(data, parsePath(path)?.steps ?? [], most).map(({ node, at }) => [node.value, ...at])

test.each<[path: string, found: unknown[]]>([
  ['to', [[ADDRESS]]],
  ['#.to', [[ADDRESS]]],
  ['#.to.[0:2]', [['0x7099']]],
  ['packed.[-20:]', [[ADDRESS.toLowerCase()]]],
  ['orders.[0].id', [['7']]],
  ['orders[-1].id', [['8']]],
  [
    'orders.[].id',
    [
      ['7', 0],
      ['8', 1],
    ],
  ],
  [
    'orders.[1:].sizes.[]',
    [
      ['2', 1, 0],
      ['3', 1, 1],
    ],
  ],
  ['orders.[9].id', []],
  ['orders.id', []],
  ['orders.[].nothing', []],
  ['to.[0]', []],
  ['constructor', []],
  ['length', []],
])('%s', (path, found) => {
  expect(valuesAt(path)).toEqual(found)
})

test('the number of values is limited', () => {
  expect(valuesAt('orders.[].sizes.[]', 2)).toEqual([
    ['1', 0, 0],
    ['2', 1, 0],
  ])
})

test('a path is relative to its group, unless it has a root', () => {
  const group = parsePath('#.orders.[]')
  expect(parsePath('id', group)).toEqual({ root: '#', steps: ['orders', { from: null, to: null }, 'id'] })
  expect(parsePath('#.to', group)).toEqual({ root: '#', steps: ['to'] })
  expect(parsePath('@.value', group)).toEqual({ root: '@', steps: ['value'] })
})

test('a parameter uses the indexes of its value', () => {
  expect(bindSteps(parsePath('orders.[].sizes.[].[0:2]')?.steps ?? [], [3, 4])).toEqual([
    'orders',
    3,
    'sizes',
    4,
    { from: 0, to: 2 },
  ])
  expect(bindSteps(parsePath('orders.[]')?.steps ?? [], [])).toEqual(['orders', { from: null, to: null }])
})

test.each(['a..b', '#..', 'a b', '[x]', 'a.[1', `a${'.a'.repeat(100)}`, '__a-b', '[99999999999]'])(
  '%s is not a path',
  text => {
    expect(parsePath(text)).toBeUndefined()
  },
)
