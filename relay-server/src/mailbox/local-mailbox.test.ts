import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import { openStore } from '@heliograph/shared/server/storage/store'
import { describe, expect, test } from 'vitest'
import { copyFolder } from './copy-folder.fixture.ts'
import { openLocalMailbox } from './local-mailbox.ts'
import type { MailboxLimits } from './mailbox.ts'
import { describeMailbox } from './mailbox-contract.ts'
import { ann, ben, TOPIC, useMailbox } from './mailbox-store.fixture.ts'

const log = createLog('test', 'silent')

const makeFolder = () => mkdtemp(join(tmpdir(), 'mailbox-'))

const openOn = (folder: string, durability: 'process' | 'disk', limits: MailboxLimits, now: () => number) => {
  const store = openStore(folder, { durability })
  const storage = store.log('messages')
  const shares = sharesOf()
  const mailbox = openLocalMailbox({ storage, failure: store.failure, limits, shares, log, now })
  return { mailbox, close: store.close }
}

describe('a mailbox in this process, in addition to the rules', () => {
  const { mailbox, publish, subscribe, unsubscribe, waiting } = useMailbox(async () => {
    const folder = await makeFolder()
    return {
      open: async (limits, now) => openOn(folder, 'process', limits, now),
      remove: () => rm(folder, { recursive: true }),
    }
  })

  test('rule 1: messages are not delivered before they are durable', async () => {
    await subscribe(ben)
    const accepted = publish(ann, 'm')
    expect(await waiting(ben)).toEqual([])
    await accepted
    expect(await waiting(ben)).toEqual(['m'])
  })

  test('rule 5: announcing a message returns it only if it is the next one of its topic', async () => {
    const [first, second, third] = (await Promise.all(['a', 'b', 'c'].map(text => publish(ann, text)))).flat()
    const next = [first, third, second].map(taken => taken && mailbox().announce(taken))
    expect(next).toEqual([first, undefined, second])
    expect(next.map(taken => taken && String(mailbox().textOf(taken)))).toEqual(['"a"', undefined, '"b"'])
  })

  test('an attachment keeps its topic until it is detached', async () => {
    mailbox().attach(TOPIC, 'first')
    mailbox().attach(TOPIC, 'second')
    await subscribe(ben)
    await unsubscribe(ben)
    expect([mailbox().attached(TOPIC), mailbox().attached('another'), mailbox().size().topics]).toEqual([
      'second',
      undefined,
      1,
    ])
    mailbox().attach(TOPIC, undefined)
    expect([mailbox().attached(TOPIC), mailbox().size().topics]).toEqual([undefined, 0])
  })
})

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
