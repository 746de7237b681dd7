import { expect, test } from 'vitest'
import { startWallet } from '../wallet.fixture.ts'

test("returns the wallet's name and version to every site", async () => {
  expect(await startWallet().ask('web3_clientVersion')).toBe('Heliograph/v1.2.3')
})
