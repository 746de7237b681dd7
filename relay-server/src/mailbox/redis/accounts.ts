/**
 * The shares of addresses and clients across all servers. Redis counts for each payer the messages, bytes and
 * subscriptions that it has stored.
 */
import type { Account, Payers, Shares } from '@heliograph/shared/server/limits/shares'
import { freeing, type Redis, scriptOf } from '@heliograph/shared/server/redis/redis'

/** A resource that is stored in Redis. */
export type Stored = 'messages' | 'bytes' | 'subscriptions'
export type Amounts = Partial<Record<Stored, number>>

/** A payer whose share of a resource is used up. */
export type Spent = { account: Account; resource: Stored }

/** Adds amounts unless one exceeds its limit. Answers with the name of that one, or with nothing. */
const charge = scriptOf(`
  for at = 2, #ARGV, 3 do
    local held = tonumber(redis.call('HGET', KEYS[1], ARGV[at]) or 0)
    if held + tonumber(ARGV[at + 1]) > tonumber(ARGV[at + 2]) then return ARGV[at] end
  end
  for at = 2, #ARGV, 3 do redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return ''`)

/** Takes amounts back, and removes what is not positive. */
const refund = scriptOf(`
  for at = 1, #ARGV, 2 do
    if redis.call('HINCRBY', KEYS[1], ARGV[at], -ARGV[at + 1]) <= 0 then redis.call('HDEL', KEYS[1], ARGV[at]) end
  end`)

/** Name of an account, which topic.lua stores with what the account pays for. */
const payerName = ({ holder, key }: Account): string => `${holder} ${key}`

/** The names of payers as JSON. */
export const payerNames = (payers: Payers): string => JSON.stringify(payers.map(payerName))

const keyOf = (payer: string): string => `relay:{account:${payer}}:held`

const entriesOf = (amounts: Amounts) => Object.entries(amounts) as [Stored, number][]

export const loadAccountScripts = async (redis: Redis): Promise<void> => {
  await redis.load(charge)
  await redis.load(refund)
}

/** Sets what a payer has stored, when no server is running. */
export const setHeld = async (redis: Redis, payer: string, amounts: Amounts, lifetime: number): Promise<void> => {
  await redis.send(keyOf(payer), ['HSET', keyOf(payer), ...entriesOf(amounts).flat().map(String)])
  await redis.send(keyOf(payer), ['PEXPIRE', keyOf(payer), `${lifetime}`])
}

export type Accounts = ReturnType<typeof createAccounts>

/** `lifetime` is how long an account is kept after its last charge, in milliseconds. */
export const createAccounts = (redis: Redis, shares: Shares, lifetime: number) => {
  /** Amounts by payer that Redis has not been told of yet. */
  const owed = new Map<string, Amounts>()

  const add = (payer: string, resource: Stored, amount: number): void => {
    const amounts = owed.get(payer) ?? {}
    amounts[resource] = (amounts[resource] ?? 0) + amount
    owed.set(payer, amounts)
  }

  const settleOne = async (payer: string, amounts: Amounts): Promise<void> => {
    owed.delete(payer)
    try {
      await redis.run(freeing(refund), [keyOf(payer)], entriesOf(amounts).flat().map(String))
    } catch (thrown) {
      for (const [resource, amount] of entriesOf(amounts)) add(payer, resource, amount)
      throw thrown
    }
  }

  const chargeOne = async (account: Account, amounts: Amounts, limitOf: (resource: Stored) => number) => {
    const rows = entriesOf(amounts).flatMap(([resource, amount]) => [resource, amount, limitOf(resource)])
    const answer = await redis.run(charge, [keyOf(payerName(account))], [lifetime, ...rows].map(String))
    return answer === '' ? undefined : { account, resource: answer as Stored }
  }

  const giveBack = (payers: Payers, amounts: Amounts): void => {
    for (const account of payers)
      for (const [resource, amount] of entriesOf(amounts)) add(payerName(account), resource, amount)
  }

  return {
    /** Charges all payers, or none. Resolves with the one whose share is used up, if any. Rejects like `Redis.run`. */
    take: async (payers: Payers, amounts: Amounts): Promise<Spent | undefined> => {
      const spent = await Promise.all(payers.map(one => chargeOne(one, amounts, resource => shares.limits[resource])))
      const first = spent.find(one => one !== undefined)
      if (!first) return undefined
      giveBack(
        payers.filter((_, index) => spent[index] === undefined),
        amounts,
      )
      return first
    },
    /** Charges all payers without a limit. */
    force: async (payers: Payers, amounts: Amounts): Promise<void> => {
      await Promise.all(payers.map(one => chargeOne(one, amounts, () => Number.MAX_SAFE_INTEGER)))
    },
    /** Notes that a payer gets something back. `settle` tells Redis. */
    give: add,
    /** The same for all payers. */
    giveBack,
    /** Tells Redis what payers get back. Repeats what Redis refused. */
    settle: async (): Promise<void> => {
      await Promise.all([...owed].map(([payer, amounts]) => settleOne(payer, amounts)))
    },
  }
}
