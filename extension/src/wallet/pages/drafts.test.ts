import { expect, test } from 'vitest'
import { NO_SECRETS } from '../keys/keyring-changes.ts'
import { memoryStore } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { createdWallet, PASSWORD, startWallet } from '../wallet.fixture.ts'
import { createDrafts, MAX_DRAFT_LENGTH } from './drafts.ts'

const form = 'send'
const draft = { recipient: '0x1f37', amount: '0.5' }

test('a draft survives a worker restart, and is kept only in memory', async () => {
  const { wallet, store } = await createdWallet()
  expect(await wallet.ui.getDraft({ form })).toBeNull()
  await wallet.ui.keepDraft({ form, draft })
  await wallet.ui.keepDraft({ form: 'pairing', draft: { uri: 'wc:1' } })
  const again = startWallet({ store }).wallet.ui
  expect(await again.getDraft({ form })).toEqual(draft)
  await again.keepDraft({ form, draft: null })
  expect(await again.getDraft({ form })).toBeNull()
  expect(await again.getDraft({ form: 'pairing' })).toEqual({ uri: 'wc:1' })
  expect(await store.local.get('drafts')).toBeUndefined()
})

test('locking deletes all drafts, and no drafts are stored while locked', async () => {
  const { ui } = (await createdWallet()).wallet
  await ui.keepDraft({ form, draft })
  await ui.lock(null)
  await expect(ui.getDraft({ form })).rejects.toMatchObject({ code: 4100 })
  await expect(ui.keepDraft({ form, draft })).rejects.toMatchObject({ code: 4100 })
  await ui.unlock({ password: PASSWORD })
  expect(await ui.getDraft({ form })).toBeNull()
})

test('invalid and oversized drafts are not stored', async () => {
  const { ui } = (await createdWallet()).wallet
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`field${at}`, 'x']))
  for (const wrong of [{ recipient: 'x'.repeat(MAX_DRAFT_LENGTH) }, many, { step: 2 } as unknown as typeof draft])
    await expect(ui.keepDraft({ form, draft: wrong })).rejects.toMatchObject({ code: -32602 })
  await expect(ui.keepDraft({ form: 'other' as typeof form, draft })).rejects.toMatchObject({ code: -32602 })
  expect(await ui.getDraft({ form })).toBeNull()
})

test('a draft stored during a lock is deleted with the others', async () => {
  const session = memoryStore()
  const locking: Promise<void>[] = []
  const drafts = createDrafts(session, {
    read: async () => {
      if (locking.length > 0) throw rpcError('unauthorized', 'locked')
      // The lock comes right after the check, and deletes all drafts before this one would be written.
      locking.push(drafts.clear())
      await new Promise(resolve => setTimeout(resolve))
      return NO_SECRETS
    },
  })
  await drafts.keep(form, draft)
  await Promise.all(locking)
  expect(await session.get('drafts')).toEqual({})
  await expect(drafts.keep(form, draft)).rejects.toMatchObject({ code: 4100 })
  expect(await session.get('drafts')).toEqual({})
})
