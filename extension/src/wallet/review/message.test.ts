import { expect, test } from 'vitest'
import { reviewMessage } from './message.ts'

const review = (text: string) => reviewMessage(new TextEncoder().encode(text), 'Klaytn')
const names = (text: string) => review(text).findings.map(({ name }) => name)

test('a text is shown as it is, with the prefix under which it is signed', () => {
  expect(review('hello')).toEqual({
    effect: { kind: 'message', bytes: '0x68656c6c6f', text: 'hello', signedAs: 'Klaytn Signed Message' },
    findings: [],
  })
})

test('what cannot be read is said to be data, and its bytes are shown', () => {
  const { effect, findings } = reviewMessage(Uint8Array.of(0xff, 0), 'Ethereum')
  expect(effect).toMatchObject({ bytes: '0xff00', text: null })
  expect(findings).toMatchObject([{ level: 'caution', name: 'notText' }])
})

test('a text that hides something is pointed out', () => {
  expect(names('send \u202e1 to me')).toEqual(['hiddenCharacters'])
  expect(names('\ufeffhello')).toEqual(['hiddenCharacters'])
  expect(names('Estimated balance change: +100 ETH\n\n\n')).toEqual([])
})
