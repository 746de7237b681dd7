import { hashTypedData, parseTypedData } from '@heliograph/shared/evm/typed-data'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registrableDomain } from '../sites/registrable-domain.fixture.ts'
import { ADDRESS } from '../wallet.fixture.ts'
import { reviewScope, reviewTexts } from './typed-data.ts'

const FACTS = { origin: 'https://site.example', account: ADDRESS, chainId: 1, now: 0, registrableDomain }
const types = { Mail: [{ name: 'text', type: 'string' }] }
const request = (domain: object, message: object = { text: 'hello' }, more: object = {}) => ({
  types: { ...types, ...more },
  primaryType: 'Mail',
  domain,
  message,
})
const found = (domain: object, message?: object, more?: object) =>
  reviewScope(parseTypedData(request(domain, message, more)), FACTS).map(({ level, name, values }) =>
    [level, name, ...values].join(' '),
  )
const salt = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

test('a chain id in the domain has no finding', () => {
  expect(found({ name: 'Mail', chainId: 1 })).toEqual([])
  expect(found({ chainId: '0x1', salt: `0x${'ab'.repeat(32)}` })).toEqual([])
})

test('data without a chain id may be valid on other chains, whatever its type', () => {
  expect(found({})).toEqual(['caution noChainId'])
  expect(found({ name: 'Mail', version: '1' })).toEqual(['caution noChainId'])
  expect(found({ salt: `0x${'ab'.repeat(32)}` })).toEqual(['caution noChainId'])
  expect(found({ salt: salt(0n) })).toEqual(['caution noChainId'])
  expect(found({}, undefined, { EIP712Domain: [] })).toEqual(['caution noChainId'])
})

test('a chain id in the salt is reported, even if the usual field has one too', () => {
  expect(found({ name: 'Token', salt: salt(137n) })).toEqual(['caution chainIdInSalt 137'])
  expect(found({ chainId: 1, salt: salt(1n) })).toEqual(['caution chainIdInSalt 1'])
  expect(found({ salt: salt(2n ** 53n) })).toEqual(['caution noChainId'])
})

test('some undeclared fields are named, and nothing else changes', () => {
  const chain = { chainId: 1 }
  expect(found(chain, { text: 'a', more: 1 })).toEqual(['caution undeclaredFields message.more'])
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, at]))
  expect(found(chain, { text: 'a', ...many })).toEqual([
    'caution undeclaredFields message.f0 message.f1 message.f2 message.f3 message.f4 …',
  ])
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), extra => {
      const plain = parseTypedData(request(chain))
      const with_ = parseTypedData(request(chain, { ...extra, text: 'hello' }))
      expect(hashTypedData(with_)).toEqual(hashTypedData(plain))
      expect(with_.message).toEqual(plain.message)
    }),
  )
})

const SIGN_IN = `bank.example wants you to sign in with your Ethereum account:\n${ADDRESS}\n\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2025-11-21T14:02:08Z`

test('a text that looks like a sign-in is reported anywhere, and reviewed by the site that it names', () => {
  const expected = ['danger signInElsewhere site.example bank.example', 'caution malformedSignIn']
  expect(found({ chainId: 1 }, { text: SIGN_IN })).toEqual(expected)
  expect(found({ chainId: 1, name: SIGN_IN })).toEqual(expected)
  expect(found({ chainId: 1 }, { text: SIGN_IN.replaceAll('bank.example', 'site.example') })).toEqual([
    'caution malformedSignIn',
  ])
  expect(reviewTexts(['hello', SIGN_IN, SIGN_IN], FACTS).map(({ name }) => name)).toEqual([
    'signInElsewhere',
    'malformedSignIn',
  ])
})
