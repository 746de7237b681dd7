import { parseTypedData } from '@heliograph/shared/evm/typed-data'
import { expect, test } from 'vitest'
import { ADDRESS } from '../wallet.fixture.ts'
import { reviewTypedData } from './typed-data.ts'

const review = (primaryType: string, text = 'hello') =>
  reviewTypedData(
    parseTypedData({
      types: { [primaryType]: [{ name: 'text', type: 'string' }] },
      primaryType,
      domain: { name: 'Test' },
      message: { text },
    }),
    ADDRESS,
  )
const names = (primaryType: string, text?: string) => review(primaryType, text).findings.map(({ name }) => name)

test('data whose signature moves tokens is reported as such', () => {
  for (const type of ['Permit', 'PermitSingle', 'PermitBatch', 'PermitTransferFrom', 'PermitWitnessTransferFrom'])
    expect(names(type), type).toEqual(['movesTokens'])
  for (const type of ['OrderComponents', 'MetaTransaction', 'TransferWithAuthorization'])
    expect(names(type), type).toEqual(['movesTokens'])
})

test('other data is shown in full, with an unknown format', () => {
  expect(names('Mail')).toEqual(['unknownFormat'])
  expect(review('Mail').effect).toEqual({
    kind: 'typedData',
    primaryType: 'Mail',
    domain: [{ name: 'name', type: 'string', value: 'Test' }],
    message: { name: 'Mail', type: 'Mail', value: [{ name: 'text', type: 'string', value: 'hello' }] },
    json: expect.stringContaining('"text": "hello"'),
    form: null,
    acts: [],
    tokens: [],
    contract: null,
  })
})

test('hidden characters in a text are a caution', () => {
  expect(names('Mail', 'send \u202e1')).toEqual(['unknownFormat', 'hiddenCharacters'])
})
