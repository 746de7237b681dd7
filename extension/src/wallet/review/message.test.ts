import { expect, test } from 'vitest'
import { registrableDomain } from '../sites/registrable-domain.fixture.ts'
import { ADDRESS } from '../wallet.fixture.ts'
import { reviewMessage } from './message.ts'

const FACTS = { origin: 'https://site.example', account: ADDRESS, chainId: 1, now: 0, registrableDomain }

const review = (text: string) => reviewMessage(new TextEncoder().encode(text), 'Klaytn', FACTS)
const names = (text: string) => review(text).findings.map(({ name }) => name)

test('a text is shown unchanged, with the prefix with which it is signed', () => {
  expect(review('hello')).toEqual({
    effect: { kind: 'message', bytes: '0x68656c6c6f', text: 'hello', signedAs: 'Klaytn Signed Message', signIn: null },
    findings: [],
    foreign: null,
  })
})

test('bytes that are not text are shown as bytes, with a caution', () => {
  const { effect, findings } = reviewMessage(Uint8Array.of(0xff, 0), 'Ethereum', FACTS)
  expect(effect).toMatchObject({ bytes: '0xff00', text: null })
  expect(findings).toMatchObject([{ level: 'caution', name: 'notText' }])
})

test('hidden characters are a caution', () => {
  expect(names('send \u202e1 to me')).toEqual(['hiddenCharacters'])
  expect(names('\ufeffhello')).toEqual(['hiddenCharacters'])
  expect(names('Estimated balance change: +100 ETH\n\n\n')).toEqual([])
})

test('a sign-in is compared with the request', () => {
  const text = `bank.example wants you to sign in with your Ethereum account:\n${ADDRESS}\n\nHi\n\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2025-11-21T14:02:08Z`
  expect(review(text).effect).toMatchObject({ signIn: { domain: 'bank.example', statement: 'Hi' } })
  expect(review(text).findings).toEqual([
    { level: 'danger', name: 'signInElsewhere', values: ['site.example', 'bank.example'] },
  ])
  expect(review(text)).toMatchObject({ foreign: 'bank.example' })
  expect(names(text.replace('Hi', 'Hi\u200b'))).toEqual(['signInElsewhere', 'hiddenCharacters'])
})

test('a sign-in is reviewed even if its bytes are not valid text', () => {
  const text = `bank.example wants you to sign in with your Ethereum account:\n${ADDRESS}\n\nHi\u0001\n\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2025-11-21T14:02:08Z`
  expect(review(text).effect).toMatchObject({ text: null, signIn: null })
  expect(names(text)).toEqual(['signInElsewhere', 'notText'])
  const broken = Uint8Array.of(...new TextEncoder().encode(text.replace('\u0001', '')), 0xff)
  expect(reviewMessage(broken, 'Ethereum', FACTS).findings.map(({ name }) => name)).toEqual([
    'signInElsewhere',
    'notText',
  ])
})
