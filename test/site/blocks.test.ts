/** Tests of reading shell blocks and of comparing documented output. */
import { expect, test } from 'vitest'
import { missingLine, shellBlocks } from './blocks.ts'

test('a shell block gets the lines of the text blocks after it, even inside a list', () => {
  const markdown =
    '1. Do\n\n   ```sh\n   one\n   ```\n\n   ```text\n   said\n   ```\n\n```sh server\ntwo\n```\n\n```js\nthree\n```\n'
  expect(shellBlocks(markdown)).toEqual([
    { kind: 'sh', script: 'one', output: ['said'] },
    { kind: 'sh server', script: 'two', output: [] },
  ])
})

test.each([
  [['a', 'c'], undefined],
  [['c', 'a'], 'a'],
  [['port …'], undefined],
  [['port … open'], 'port … open'],
  [['a.'], 'a.'],
])('of the documented lines %j, the output lacks %s', (documented, missing) => {
  expect(missingLine(documented, 'a\nb \nc\nport 80')).toBe(missing)
})
