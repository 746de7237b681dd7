import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { openStore } from '@heliograph/shared/server/storage/store'
import { describe } from 'vitest'
import { copyFolder } from './copy-folder.fixture.ts'
import { openLocalMailbox } from './local-mailbox.ts'
import type { MailboxLimits } from './mailbox.ts'
import { describeMailbox } from './mailbox-contract.ts'

const log = createLog('test', 'silent')

const makeFolder = () => mkdtemp(join(tmpdir(), 'mailbox-'))

const openOn = (folder: string, durability: 'process' | 'disk', limits: MailboxLimits, now: () => number) => {
  const store = openStore(folder, { durability })
  const storage = store.log('messages')
  const shares = sharesOf()
  const mailbox = openLocalMailbox({ storage, failure: store.failure, limits, shares, log, now })
  return { mailbox, close: store.close }
}

describe.each(['process', 'disk'] as const)('accepted messages survive, with durability %s', durability => {
  describeMailbox('a log', async () => {
    const folder = await makeFolder()
    return {
      open: async (limits, now) => openOn(folder, durability, limits, now),
      remove: () => rm(folder, { recursive: true }),
    }
  })
})

describeMailbox('a log, ended by a crash', async () => {
  let folder = await makeFolder()
  return {
    open: async (limits, now) => {
      const { mailbox, close: stop } = openOn(folder, 'process', limits, now)
      const close = async () => {
        const crashed = folder
        await endOfTurn()
        folder = copyFolder(crashed)
        await stop()
        await rm(crashed, { recursive: true })
      }
      return { mailbox, close }
    },
    remove: () => rm(folder, { recursive: true }),
  }
})
