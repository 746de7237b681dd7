/** Valid frames and random mutations of them, reproducible from a seed. */

import type { Random } from '../support/random.ts'

const TOPIC = 'c0'.repeat(32)

const ids = ['1', '0', '-7', '1.50', '1e3', '1778341964282845123', '"1778341964282845123"', '"é\\u0041\\"\\\\"', 'null']

const publish = (method: string, id: string, message: string): string =>
  `{"id":${id},"jsonrpc":"2.0","method":"${method}","params":{"topic":"${TOPIC}","message":"${message}","ttl":300}}`

const calls = ids.flatMap((id, index) => [
  publish('relay_publish', id, `m${index}`),
  publish('irn_publish', id, `n${index}`).replace('}}', ',"prompt":true,"tag":1108,"correlationId":1795224905785126}}'),
  `{"id":${id},"jsonrpc":"2.0","result":true}`,
])
const answers = ['7', '179522490387801', '1795224903878012'].map(id => `{"id":${id},"jsonrpc":"2.0","result":true}`)

/** Valid frames of every kind. They are short, so that most mutations hit bytes that matter. */
export const frames: readonly string[] = [
  ...calls,
  ...answers,
  publish('irn_publish', '2', 'a\\nb\\u00e9\\"\\\\ 😀 zażółć'),
  `{"id":3,"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"${TOPIC}","message":"m","ttl":86400,"tag":1108,` +
    '"prompt":true,"correlationId":1795224905785126,"rpcMethods":["personal_sign"],"chainId":"eip155:1","txHashes":[]}}',
  `{"id":4,"jsonrpc":"2.0","method":"waku_publish","params":{"message":"m","ttl":60,"topic":"${TOPIC}","prompt":null}}`,
  `{"jsonrpc":"2.0","params":{"topic":"${TOPIC}"},"method":"relay_subscribe","id":"5"}`,
  ` {\n"id" : 6 ,\t"jsonrpc":"2.0", "method":"relay_unsubscribe","params":{"topic":"${TOPIC}","id":"x"}\r\n} `,
  `{"id":7,"jsonrpc":"2.0","method":"irn_batchSubscribe","params":{"topics":["${TOPIC}","${'d1'.repeat(32)}"]}}`,
  `{"id":8,"jsonrpc":"2.0","method":"none","params":{"id":9,"x":[{"id":10},"\\"id\\":11",{"\\\\":{"id":12}}]}}`,
  '{"jsonrpc":"2.0","method":"irn_publish","params":[1,"id",{"id":13}]}',
  '{"\\u0069d":14,"jsonrpc":"2.0","method":"x"}',
  '{"id":15,"jsonrpc":"2.0","error":{"code":-32000,"message":"m","data":{"id":16}}}',
  '{"jsonrpc":"2.0","id":17,"method":"x","params":{},"extra":{"method":"y"}}',
  `[${calls.slice(0, 6).join(',')}]`,
  '[{"id":18,"jsonrpc":"2.0","method":"x"},1,"id",null,[{"id":19}],{"id":20},{}]',
  '[]',
]

const TOKENS = [
  ...'{}[],:"\\ 0-.eE',
  ...['"id":', '"id"', 'id', '"\\u0069d":', '\\u0022', '\\"', '\\\\', '\\', '//', '"jsonrpc":"2.0",', '"2.0"'],
  ...['"method":"x",', '"method":', '"params":', '{}', '[]', '[1,', 'null', 'true', 'false', '"result":true,'],
  ...['"topic":', '"message":', '"ttl":', '"ttl":1', '"error":{"code":1,"message":""},', '"__proto__":', '"id":1,'],
  ...['12345678901234567890', '1e400', '-0', '\u0000', '\n', '\ufeff', '\u2028', '😀', '\\ud83d', '{"id":1,"id":2}'],
].map(token => Buffer.from(token))

const corpus = frames.map(frame => Buffer.from(frame))
const EMPTY = Buffer.alloc(0)

const pick = <T>(random: Random, items: readonly T[], otherwise: T): T => items[random(items.length)] ?? otherwise

type Mutation = (frame: Buffer, random: Random) => Buffer

/** Returns the frame with `length` bytes, starting at `at`, replaced. */
const replace = (frame: Buffer, at: number, length: number, by: Buffer): Buffer =>
  Buffer.concat([frame.subarray(0, at), by, frame.subarray(at + length)])

const mutations: readonly Mutation[] = [
  (frame, random) => replace(frame, random(frame.length + 1), 0, pick(random, TOKENS, EMPTY)),
  (frame, random) => {
    const token = pick(random, TOKENS, EMPTY)
    return replace(frame, random(frame.length + 1), token.length, token)
  },
  (frame, random) => replace(frame, random(frame.length + 1), 1, Buffer.of(random(256))),
  (frame, random) => replace(frame, random(frame.length + 1), 1 + random(12), EMPTY),
  (frame, random) => {
    const from = random(frame.length + 1)
    return replace(frame, random(frame.length + 1), 0, frame.subarray(from, from + 1 + random(24)))
  },
  (frame, random) => {
    const other = pick(random, corpus, EMPTY)
    return Buffer.concat([frame.subarray(0, random(frame.length + 1)), other.subarray(random(other.length + 1))])
  },
  (frame, random) => frame.subarray(0, random(frame.length + 1)),
]

const soup = (random: Random): Buffer =>
  Buffer.concat(Array.from({ length: random(24) }, () => pick(random, TOKENS, EMPTY)))

/** Returns a nearly valid frame, or with a probability of 1/16 a random sequence of tokens. */
export const mutated = (random: Random): Buffer => {
  if (random(16) === 0) return soup(random)
  let frame: Buffer = pick(random, corpus, EMPTY)
  for (let left = random(5); left > 0; left--) frame = pick(random, mutations, bytes => bytes)(frame, random)
  return frame
}
