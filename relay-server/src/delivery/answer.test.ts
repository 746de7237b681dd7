import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ID_BYTES } from '../rpc/scan.ts'
import { answerBytes, createAnswerWriter } from './answer.ts'

const write = createAnswerWriter(MAX_ID_BYTES)

const ids = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }).map(String),
  fc.stringMatching(/^[\w-]{1,64}$/).map(id => `"${id}"`),
)

test('a response has the id of the request as written, whatever its length and the length of the previous one', () => {
  fc.assert(
    fc.property(ids, id => {
      const answer = write(id)
      expect(answer.toString()).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
      expect(answer.length).toBe(answerBytes(id.length))
    }),
  )
})
