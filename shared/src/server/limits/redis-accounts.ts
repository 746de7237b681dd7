/**
 * The shares of addresses and clients across all servers. Redis counts the messages, bytes and
 * subscriptions that each payer has stored.
 */
import { readFileSync } from 'node:fs'
import { freeing, listOf, type Redis, type Reply, scriptOf } from '../redis/redis.ts'
import type { Account, Payers, ShareLimits } from './shares.ts'

/** A resource that is stored in Redis. */
export type Stored = 'messages' | 'bytes' | 'subscriptions'
export type Amounts = Partial<Record<Stored, number>>

/** A payer whose share of a resource is used up. */
export type Spent = { account: Account; resource: Stored }

/**
 * Adds all amounts unless one would exceed its limit. Returns the name of the exceeded resource, or an empty string.
 */
const charge = scriptOf(`
  for at = 2, #ARGV, 3 do
    local held = tonumber(redis.call('HGET', KEYS[1], ARGV[at]) or 0)
    if held + tonumber(ARGV[at + 1]) > tonumber(ARGV[at + 2]) then return ARGV[at] end
  end
  for at = 2, #ARGV, 3 do redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return ''`)

/** Subtracts amounts, and removes fields that are then zero or negative. */
const refund = scriptOf(`
  for at = 1, #ARGV, 2 do
    if redis.call('HINCRBY', KEYS[1], ARGV[at], -ARGV[at + 1]) <= 0 then redis.call('HDEL', KEYS[1], ARGV[at]) end
  end`)

/** Lua functions that count payers' parts of one topic. Scripts that change a topic start with this text. */
export const crowdLua = readFileSync(new URL('crowd.lua', import.meta.url), 'utf8')

/** Amounts that payers hold, or that are refunded to them. */
export type Held = readonly { payer: string; resource: Stored; amount: number }[]

/** Parses a list of crowd.lua: payer and resource in one field, then the amount, alternating. */
export const heldIn = (reply: Reply | undefined): Held => {
  const list = listOf(reply).map(String)
  return list.flatMap((field, index) => {
    if (index % 2 === 1) return []
    const end = field.lastIndexOf(' ')
    const resource = field.slice(end + 1) as Stored
    return { payer: field.slice(0, end), resource, amount: Number(list[index + 1]) }
  })
}

/** Returns the name of an account. Scripts store it with each item that the account pays for. */
const payerName = ({ holder, key }: Account): string => `${holder} ${key}`

/** Returns the names of payers as JSON. */
export const payerNames = (payers: Payers): string => JSON.stringify(payers.map(payerName))

const keyOf = (prefix: string, payer: string): string => `${prefix}:{account:${payer}}:held`

const entriesOf = (amounts: Amounts) => Object.entries(amounts) as [Stored, number][]

export const loadAccountScripts = async (redis: Redis): Promise<void> => {
  await redis.load(charge)
  await redis.load(refund)
}

export type Accounts = ReturnType<typeof createAccounts>

export type AccountsOptions = {
  redis: Redis
  /** Prefix of all keys: `relay` or `bridge`. */
  prefix: string
  limits: ShareLimits
  /** How long an account is kept after its last charge, in milliseconds. */
  lifetime: number
}

/** Sets the amounts that a payer has stored. No server may be running. */
export const setHeld = async (
  { redis, prefix, lifetime }: Pick<AccountsOptions, 'redis' | 'prefix' | 'lifetime'>,
  payer: string,
  amounts: Amounts,
): Promise<void> => {
  const key = keyOf(prefix, payer)
  await redis.send(key, ['HSET', key, ...entriesOf(amounts).flat().map(String)])
  await redis.send(key, ['PEXPIRE', key, `${lifetime}`])
}

export const createAccounts = ({ redis, prefix, limits, lifetime }: AccountsOptions) => {
  /** Refunds to payers that have not been sent to Redis yet, by payer. */
  const owed = new Map<string, Amounts>()

  const add = (payer: string, resource: Stored, amount: number): void => {
    const amounts = owed.get(payer) ?? {}
    amounts[resource] = (amounts[resource] ?? 0) + amount
    owed.set(payer, amounts)
  }

  const settleOne = async (payer: string, amounts: Amounts): Promise<void> => {
    owed.delete(payer)
    try {
      await redis.run(freeing(refund), [keyOf(prefix, payer)], entriesOf(amounts).flat().map(String))
    } catch (thrown) {
      for (const [resource, amount] of entriesOf(amounts)) add(payer, resource, amount)
      throw thrown
    }
  }

  const chargeOne = async (account: Account, amounts: Amounts, limitOf: (resource: Stored) => number) => {
    const rows = entriesOf(amounts).flatMap(([resource, amount]) => [resource, amount, limitOf(resource)])
    const answer = await redis.run(charge, [keyOf(prefix, payerName(account))], [lifetime, ...rows].map(String))
    return answer === '' ? undefined : { account, resource: answer as Stored }
  }

  const giveBack = (payers: Payers, amounts: Amounts): void => {
    for (const account of payers)
      for (const [resource, amount] of entriesOf(amounts)) add(payerName(account), resource, amount)
  }

  return {
    /** Charges all payers or none. Resolves with a payer whose share is used up, if any. Rejects like `Redis.run`. */
    take: async (payers: Payers, amounts: Amounts): Promise<Spent | undefined> => {
      const spent = await Promise.all(payers.map(one => chargeOne(one, amounts, resource => limits[resource])))
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
    /** Records a refund for a payer. `settle` sends it to Redis. */
    give: add,
    /** Records a refund for each of the payers. */
    giveBack,
    /** Sends recorded refunds to Redis. If it rejects, the failed refunds are sent with the next call. */
    settle: async (): Promise<void> => {
      await Promise.all([...owed].map(([payer, amounts]) => settleOne(payer, amounts)))
    },
  }
}
