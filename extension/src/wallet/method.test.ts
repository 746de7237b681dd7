import { expect, test } from 'vitest'
import { type Context, requireAccount } from './method.ts'
import { createSites } from './sites.ts'
import { memoryStore } from './store.ts'
import { ADDRESS, ADDRESS_LOWER, OTHER_SITE, SECOND, SITE } from './wallet.fixture.ts'

const contextOf = async (origin: string) => {
  const sites = createSites(memoryStore())
  await sites.connect(SITE, [ADDRESS], 0)
  return { origin, sites } as Context
}

test('a site uses the accounts that it was given, whatever their case, and gets them in EIP-55 case', async () => {
  const context = await contextOf(SITE)
  expect(await requireAccount(context, ADDRESS)).toBe(ADDRESS)
  expect(await requireAccount(context, ADDRESS_LOWER as typeof ADDRESS)).toBe(ADDRESS)
})

test('an account that it was not given is 4100, and so is any account of a site that is not connected', async () => {
  await expect(requireAccount(await contextOf(SITE), SECOND)).rejects.toMatchObject({
    code: 4100,
    message: `This site was not given the account ${SECOND}`,
  })
  await expect(requireAccount(await contextOf(OTHER_SITE), ADDRESS)).rejects.toMatchObject({
    code: 4100,
    message: expect.stringContaining('eth_requestAccounts first'),
  })
})
