import { expect, test } from 'vitest'
import { reviewMessage } from './message.ts'

const review = (text: string) => reviewMessage(new TextEncoder().encode(text), 'Klaytn')
const titles = (text: string) => review(text).findings.map(({ title }) => title)

test('a text is shown as it is, with the prefix under which it is signed', () => {
  expect(review('hello')).toEqual({
    effect: { kind: 'message', bytes: '0x68656c6c6f', text: 'hello', signedAs: 'Klaytn Signed Message' },
    findings: [],
  })
})

test('what cannot be read is said to be data, and its bytes are shown', () => {
  const { effect, findings } = reviewMessage(Uint8Array.of(0xff, 0), 'Ethereum')
  expect(effect).toMatchObject({ bytes: '0xff00', text: null })
  expect(findings).toMatchObject([{ level: 'caution', title: 'This message cannot be read' }])
})

test('a text that hides something is pointed out', () => {
  expect(titles('send \u202e1 to me')).toEqual(['Hidden characters'])
  expect(titles('\ufeffhello')).toEqual(['Hidden characters'])
  expect(titles('Estimated balance change: +100 ETH\n\n\n')).toEqual([])
})
