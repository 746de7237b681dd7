import { encodeData } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { secretsOf, withWatchOnly } from '../keys/keyring-changes.ts'
import { createVault } from '../keys/vault.ts'
import { createSites, siteRequester } from '../sites/sites.ts'
import { memoryStore } from '../storage/store.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  CHEAP_KDF,
  commonPasswords,
  DERIVATION,
  OTHER_SITE,
  PASSWORD,
  SECOND,
  SITE,
} from '../wallet.fixture.ts'
import { type Context, requireAccount, signWith } from './context.ts'

const WATCHED = '0x0000000000000000000000000000000000000001'

const contextOf = async (origin: string) => {
  const stores = { local: memoryStore(), session: memoryStore() }
  const [sites, vault] = [createSites(stores.local), createVault(stores, commonPasswords, CHEAP_KDF)]
  await vault.create(PASSWORD, withWatchOnly(await secretsOf(DERIVATION), WATCHED, 'Watched'))
  await sites.connect(SITE, [ADDRESS, WATCHED], 0)
  return {
    requester: siteRequester(origin),
    grants: { siteOf: ({ origin: site }) => sites.get(site) },
    vault,
  } as Context
}

test('a site can name its accounts in any case, and they are converted to EIP-55', async () => {
  const context = await contextOf(SITE)
  expect(await requireAccount(context, ADDRESS)).toBe(ADDRESS)
  expect(await requireAccount(context, ADDRESS_LOWER as typeof ADDRESS)).toBe(ADDRESS)
})

test('an account that the site may not use is 4100, and so is any account for an unconnected site', async () => {
  await expect(requireAccount(await contextOf(SITE), SECOND)).rejects.toMatchObject({
    code: 4100,
    message: `This site has no permission for the account ${SECOND}`,
  })
  await expect(requireAccount(await contextOf(OTHER_SITE), ADDRESS)).rejects.toMatchObject({
    code: 4100,
    message: expect.stringContaining('eth_requestAccounts first'),
  })
})

test('a watch-only account is 4100 while the wallet is unlocked', async () => {
  const context = await contextOf(SITE)
  await expect(requireAccount(context, WATCHED)).rejects.toMatchObject({
    code: 4100,
    message: `The account ${WATCHED} is watch-only: its key is not in this wallet`,
  })
  await context.vault.lock()
  expect(await requireAccount(context, WATCHED)).toBe(WATCHED)
})

test("the account's key is wiped after signing", async () => {
  const context = await contextOf(SITE)
  let lent: Uint8Array = new Uint8Array()
  const keep = (key: Uint8Array) => {
    lent = key
    return encodeData(key)
  }
  expect(await signWith(context, { account: ADDRESS }, keep)).toMatch(/^0xac0974be/)
  expect(lent).toEqual(new Uint8Array(32))
})
