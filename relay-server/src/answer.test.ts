import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerBytes, createAnswerWriter } from './answer.ts'
import { MOST_ID_BYTES } from './scan.ts'

const write = createAnswerWriter(MOST_ID_BYTES)

const ids = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }).map(String),
  fc.stringMatching(/^[\w-]{1,64}$/).map(id => `"${id}"`),
)

test('an answer has the id as the call had it, whatever its length and that of the one before', () => {
  fc.assert(
    fc.property(ids, id => {
      const answer = write(id)
      expect(answer.toString()).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
      expect(answer.length).toBe(answerBytes(id.length))
    }),
  )
})
