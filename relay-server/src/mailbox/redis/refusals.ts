/** The errors of calls that Redis or a limit refuses. */

import type { Spent } from '@heliograph/shared/server/limits/redis-accounts'
import { type Shares, usedUpShare } from '@heliograph/shared/server/limits/shares'
import { RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import { relayError } from '../../reasons.ts'
import type { MailboxLimits } from '../mailbox.ts'
import { partsOf } from '../mailbox-limits.ts'
import type { Answer, Limit, Part } from './topic-script.ts'

/** Names of the settings of limits. */
const SETTINGS: Record<Limit, string> = {
  topicMessages: 'topic-messages',
  topicBytes: 'topic-bytes',
  storeMessages: 'store-messages',
  storeBytes: 'store-bytes',
  topicClients: 'topic-clients',
  subscriptions: 'subscriptions',
}

/** Limits of the part that one payer may have of a topic: the resource, and the limit that it is a part of. */
const PARTS = {
  topicMessagesOfHolder: ['messages', 'topicMessages'],
  topicBytesOfHolder: ['bytes', 'topicBytes'],
  topicClientsOfHolder: ['clients', 'topicClients'],
} as const

const isPart = (outcome: Limit | Part): outcome is Part => outcome in PARTS

/** RpcError -32002 if Redis cannot be used, else the error itself. */
export const asRefusal = (thrown: unknown): unknown =>
  thrown instanceof RedisUnavailable
    ? relayError('resourceUnavailable', 'storeFailing', { cause: thrown.message })
    : thrown

export const createRefusals = (limits: MailboxLimits, shares: Shares) => {
  const parts = partsOf(limits)

  /** RpcError -32005 for a limit. `payer` has reached it. */
  const limitError = (outcome: Limit | Part, payer: string): Error => {
    if (!isPart(outcome))
      return relayError('limitExceeded', outcome, { limit: limits[outcome], setting: SETTINGS[outcome] })
    const [resource, whole] = PARTS[outcome]
    const [holder = ''] = payer.split(' ')
    return relayError('limitExceeded', outcome, { limit: parts[resource], holder, setting: SETTINGS[whole] })
  }

  return {
    parts,
    /** Throws RpcError -32005 unless the answer is a success. `spent` is a share that left no room. */
    refuse: ({ outcome, value }: Answer, spent?: Spent): void => {
      if (outcome === 'ok') return
      const isRoom = outcome === 'storeMessages' || outcome === 'storeBytes' || outcome === 'subscriptions'
      if (!spent || !isRoom) throw limitError(outcome, `${value}`)
      throw relayError('limitExceeded', 'shareUsedUp', usedUpShare(spent.account, spent.resource, shares.limits))
    },
  }
}
