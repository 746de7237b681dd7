import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { createLog } from '@heliograph/shared/server/log'
import { sharesOf } from '@heliograph/shared/server/shares.fixture'
import { openStore } from '@heliograph/shared/server/store'
import { describe } from 'vitest'
import { copyFolder } from './copy-folder.fixture.ts'
import type { MailboxLimits } from './mailbox.ts'
import { describeMailbox } from './mailbox-contract.ts'
import { openLmdbMailbox } from './mailbox-lmdb.ts'
import { openWriteAheadLog } from './write-ahead-log.ts'

const log = createLog('test', 'silent')

const makeFolder = () => mkdtemp(join(tmpdir(), 'mailbox-'))

const openOn = (folder: string, durability: 'process' | 'disk', limits: MailboxLimits, now: () => number) => {
  const store = openStore(folder)
  const ahead = openWriteAheadLog(folder)
  return {
    mailbox: openLmdbMailbox({ store, ahead, durability, limits, shares: sharesOf(), log, now }),
    close: store.close,
  }
}

describe.each(['process', 'disk'] as const)('what is safe survives the end of the %s', durability => {
  describeMailbox('LMDB', async () => {
    const folder = await makeFolder()
    return {
      open: async (limits, now) => openOn(folder, durability, limits, now),
      remove: () => rm(folder, { recursive: true }),
    }
  })
})

/** Nothing is committed, so that all that comes back was written ahead; and no file is copied while it is written. */
describeMailbox('LMDB, ended by a crash', async () => {
  let folder = await makeFolder()
  return {
    open: async (limits, now) => {
      const store = openStore(folder)
      const ahead = openWriteAheadLog(folder)
      const late = { ...store, writeLater: () => new Promise<void>(() => undefined) }
      const mailbox = openLmdbMailbox({
        store: late,
        ahead,
        durability: 'process',
        limits,
        shares: sharesOf(),
        log,
        now,
      })
      await store.write([])
      const stop = store.close
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
