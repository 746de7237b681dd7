import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@heliograph/shared/server/log'
import { openStore } from '@heliograph/shared/server/store'
import { describeMailbox } from './mailbox-contract.ts'
import { openLmdbMailbox } from './mailbox-lmdb.ts'

const log = createLog('test', 'silent')

describeMailbox('LMDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  return {
    open: async (limits, now) => {
      const store = openStore(folder)
      return { mailbox: openLmdbMailbox({ store, limits, log, now }), close: store.close }
    },
    remove: () => rm(folder, { recursive: true }),
  }
})
