/** Derives the address and the hash of BATCH_DELEGATE from its published code, as docs/batches.md states them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concat, getCreate2Address, keccak256, ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { BATCH_DELEGATE } from '../../extension/src/messages.ts'
import { BATCH_DELEGATE_CODE } from '../../extension/src/wallet/transactions/batch-delegate.fixture.ts'
import { root } from '../support/root.ts'

/** The part of the published `bytecode` before the runtime code. It returns the runtime code. */
const CONSTRUCTOR = '0x60808060405234601557610e37908161001a8239f35b5f80fdfe'
/** https://github.com/Arachnid/deterministic-deployment-proxy */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

test('the address follows from the published code, so no other code can be deployed there', () => {
  const creation = keccak256(concat([CONSTRUCTOR, BATCH_DELEGATE_CODE]))
  expect(getCreate2Address(DEPLOYER, ZeroHash, creation)).toBe(BATCH_DELEGATE)
})

test('the document states the address, the hash and the deployer', () => {
  const page = readFileSync(join(root, 'docs/batches.md'), 'utf8')
  for (const fact of [BATCH_DELEGATE, keccak256(BATCH_DELEGATE_CODE), DEPLOYER]) expect(page).toContain(fact)
})
