/**
 * Checks that the benchmark of the libraries compares the same work, and prints its measurements. Does not check speed.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as evm from '@heliograph/shared/evm/index'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'
import { checkResults, tasksWith } from './libraries/tasks.ts'

/** Milliseconds. Installing and bundling takes half a minute on a busy machine. */
const RUN_MS = 300_000

test('all libraries give the same results', async () => {
  await expect(checkResults(tasksWith(evm))).resolves.toBeUndefined()
})

test('a library with another result is named', async () => {
  const wrong = tasksWith({ ...evm, hashTypedData: () => '0x12' })
  await expect(checkResults(wrong)).rejects.toThrow('hash typed data: heliograph 0x12, viem 0xbe609aee')
})

test('the tables have a figure for each library that can do the work', { timeout: RUN_MS }, async () => {
  const args = ['--import', 'tsx', 'test/bench/libraries-main.ts', '--rounds', '1', '--seconds', '0.01']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(root) })
  const rows = stdout.split('\n').filter(line => /^\| [a-z].* [×|]/.test(line) && !line.includes('viem'))
  const figures = rows.map(row => [row.split(' | ')[0]?.slice(2), row.match(/[\d.,]+ (?:µs|KiB|×)/g)?.length])
  expect(figures).toEqual([
    ['sign a message', 4],
    ['recover the signer of a message', 4],
    ['sign and encode an EIP-1559 transaction', 4],
    ['decode a transaction', 4],
    ['hash typed data', 3],
    ['sign typed data', 4],
    ['decode RLP', 4],
    ['sign a message', 4],
    ['sign a transaction', 4],
    ['sign typed data', 4],
  ])
})
