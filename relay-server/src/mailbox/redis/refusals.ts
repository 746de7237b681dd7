/** Makes the errors of calls that are refused by a limit, or fail because Redis is unavailable. */

import type { Spent } from '@heliograph/shared/server/limits/redis-accounts'
import { type Shares, usedUpShare } from '@heliograph/shared/server/limits/shares'
import { RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import { relayError } from '../../reasons.ts'
import type { MailboxLimits } from '../mailbox.ts'
import { partsOf } from '../mailbox-limits.ts'
import type { Answer, Limit, Part } from './topic-script.ts'

/** Name of each limit's setting. */
const SETTINGS: Record<Limit, string> = {
  topicMessages: 'topic-messages',
  topicBytes: 'topic-bytes',
  storeMessages: 'store-messages',
  storeBytes: 'store-bytes',
  topicClients: 'topic-clients',
  subscriptions: 'subscriptions',
}

/** For each limit of a payer's part of a topic: the resource, and the limit of the whole topic. */
const PARTS = {
  topicMessagesOfHolder: ['messages', 'topicMessages'],
  topicBytesOfHolder: ['bytes', 'topicBytes'],
  topicClientsOfHolder: ['clients', 'topicClients'],
} as const

const isPart = (outcome: Limit | Part): outcome is Part => outcome in PARTS

/** Returns RpcError -32002 if Redis is unavailable, else the error itself. */
export const asRefusal = (thrown: unknown): unknown =>
  thrown instanceof RedisUnavailable
    ? relayError('resourceUnavailable', 'storeFailing', { cause: thrown.message })
    : thrown

export const createRefusals = (limits: MailboxLimits, shares: Shares) => {
  const parts = partsOf(limits)

  /** Returns RpcError -32005 for a limit. If one payer has reached its part, `payer` is its name. */
  const limitError = (outcome: Limit | Part, payer: string): Error => {
    if (!isPart(outcome))
      return relayError('limitExceeded', outcome, { limit: limits[outcome], setting: SETTINGS[outcome] })
    const [resource, whole] = PARTS[outcome]
    const [holder = ''] = payer.split(' ')
    return relayError('limitExceeded', outcome, { limit: parts[resource], holder, setting: SETTINGS[whole] })
  }

  return {
    parts,
    /**
     * Throws RpcError -32005 unless the answer is a success. `spent` is the share that was used up, if any, so that the
     * call had no room.
     */
    refuse: ({ outcome, value }: Answer, spent?: Spent): void => {
      if (outcome === 'ok') return
      const isRoom = outcome === 'storeMessages' || outcome === 'storeBytes' || outcome === 'subscriptions'
      if (!spent || !isRoom) throw limitError(outcome, `${value}`)
      throw relayError('limitExceeded', 'shareUsedUp', usedUpShare(spent.account, spent.resource, shares.limits))
    },
  }
}
