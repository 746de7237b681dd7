/** A mailbox for one test, on a store in a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { openStore, type Store } from '@heliograph/shared/server/storage/store'
import { wide } from './mailbox/limits.fixture.ts'
import { openLocalMailbox } from './mailbox/local-mailbox.ts'
import type { Mailbox, MailboxLimits } from './mailbox/mailbox.ts'

export type TemporaryMailbox = {
  folder: string
  store: Store
  mailbox: Mailbox
  /** Closes the store and removes its folder. */
  remove: () => Promise<void>
}

/** Opens an empty mailbox with wide limits, except for the given ones. */
export const openTemporaryMailbox = async (limits: Partial<MailboxLimits> = {}): Promise<TemporaryMailbox> => {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  const store = openStore(folder)
  const mailbox = openLocalMailbox({
    storage: store.log('messages'),
    failure: store.failure,
    limits: { topicMessages: 1000, topicBytes: 1_000_000, topicClients: 100, clientTopics: 10, ...wide, ...limits },
    shares: sharesOf(),
    log: createLog('test', 'silent'),
  })
  const remove = async (): Promise<void> => {
    await store.close()
    await rm(folder, { recursive: true })
  }
  return { folder, store, mailbox, remove }
}
