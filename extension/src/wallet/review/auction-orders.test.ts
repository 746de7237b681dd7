import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { review, TOKEN } from './forms.fixture.ts'

const BOUGHT = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const ZERO = `0x${'0'.repeat(40)}`
const permit = { permitted: 'TokenPermissions', spender: 'address', nonce: 'uint256', deadline: 'uint256' }
const OUTPUTS: Readonly<Record<string, Record<string, string>>> = {
  DutchOutput: { token: 'address', startAmount: 'uint256', endAmount: 'uint256', recipient: 'address' },
  OutputToken: { token: 'address', amount: 'uint256', recipient: 'address' },
  V3DutchOutput: { token: 'address', startAmount: 'uint256', recipient: 'address', minAmount: 'uint256' },
}

const signed = (witness: string, field: string, output: string, outputs: readonly object[]) =>
  review(
    'PermitWitnessTransferFrom',
    {
      PermitWitnessTransferFrom: { ...permit, witness },
      TokenPermissions: { token: 'address', amount: 'uint256' },
      [witness]: { [field]: `${output}[]`, cosigner: 'address' },
      [output]: OUTPUTS[output] ?? {},
    },
    {
      permitted: { token: TOKEN, amount: 5 },
      spender: SECOND,
      nonce: 0,
      deadline: 99,
      witness: { [field]: outputs, cosigner: ZERO },
    },
  )

const allow = { kind: 'allow', token: TOKEN, spender: SECOND, amount: '5', until: '99', adds: false }
const order = (more: object) => ({
  kind: 'order',
  gives: [{ token: TOKEN, amount: '5', id: null }],
  gets: [],
  until: '99',
  ...more,
})
const got = (amount: string, more: object = {}) => ({ token: BOUGHT, amount, id: null, ...more })

test.each(['ExclusiveDutchOrder', 'DutchOrder'])('%s gets the lowest amount of each of its outputs', name => {
  const output = { token: BOUGHT, startAmount: 9, endAmount: 7 }
  const outputs = [
    { ...output, recipient: ADDRESS },
    { ...output, recipient: SECOND },
  ]
  expect(signed(name, 'outputs', 'DutchOutput', outputs)).toMatchObject({ form: 'order' })
  expect(signed(name, 'outputs', 'DutchOutput', outputs).acts).toEqual([
    order({ gets: [got('7')], others: [got('9', { to: SECOND })] }),
    allow,
  ])
})

test('orders with other outputs', () => {
  const base = [{ token: ZERO, startAmount: 7, endAmount: 9, recipient: ADDRESS }]
  expect(signed('V2DutchOrder', 'baseOutputs', 'DutchOutput', base).acts).toMatchObject([
    { gets: [{ token: null, amount: '7' }] },
    allow,
  ])
  const limit = [{ token: BOUGHT, amount: 7, recipient: ADDRESS }]
  for (const name of ['LimitOrder', 'PriorityOrder'])
    expect(signed(name, 'outputs', 'OutputToken', limit).acts).toMatchObject([{ gets: [got('7')] }, allow])
  const third = [{ token: BOUGHT, startAmount: 9, minAmount: 3, recipient: ADDRESS }]
  expect(signed('V3DutchOrder', 'baseOutputs', 'V3DutchOutput', third).acts).toMatchObject([
    { gets: [got('3')] },
    allow,
  ])
})

test('an unreadable witness leaves only the allowance', () => {
  const limit = [{ token: BOUGHT, amount: 7, recipient: ADDRESS }]
  expect(signed('Other', 'outputs', 'OutputToken', limit)).toMatchObject({ form: 'permit2Transfer', acts: [allow] })
  expect(signed('LimitOrder', 'others', 'OutputToken', limit)).toMatchObject({ form: 'permit2Transfer', acts: [allow] })
  expect(signed('LimitOrder', 'outputs', 'OutputToken', [])).toMatchObject({ form: 'permit2Transfer', acts: [allow] })
})
