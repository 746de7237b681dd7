/** Finds out which rights the Redis user of a server lacks, without changing anything. */
import { type Redis, RedisUnavailable } from './redis.ts'

/** Commands that both servers and their scripts send, each with harmless arguments that follow the key. */
const COMMON = {
  ...{ DEL: '', EXISTS: '', GET: '', SET: 'v', INCR: '', PEXPIRE: '1' },
  ...{ HDEL: 'f', HGET: 'f', HGETALL: '', HINCRBY: 'f 1', HMGET: 'f', HSET: 'f v', HSETNX: 'f v' },
  ...{ ZADD: '1 m', ZCARD: '', ZRANGE: '0 -1', ZRANGEBYSCORE: '0 1', ZREM: 'm', ZSCORE: 'm' },
}
const OF_RELAY = {
  HEXISTS: 'f',
  HLEN: '',
  SADD: 'm',
  SCARD: '',
  SISMEMBER: 'm',
  SMEMBERS: '',
  SREM: 'm',
  ZRANGEBYLEX: '- +',
}
const OF_BRIDGE = { PERSIST: '', XADD: '* f v', XDEL: '1-1', XLEN: '', XRANGE: '- +' }

/** Returns a server's commands that have a key, by name, with the arguments that follow the key. */
export const keyedCommands = (prefix: string): Readonly<Record<string, string>> => ({
  ...COMMON,
  ...(prefix === 'relay' ? OF_RELAY : OF_BRIDGE),
})

/**
 * Calls commands in a script with the flag no-writes, so that no command that writes is executed. Returns refusals by
 * the access list.
 */
const PROBE = `#!lua flags=no-writes
local refusals = {}
for _, call in ipairs(cjson.decode(ARGV[1])) do
  local reply = redis.pcall(unpack(call))
  local refusal = type(reply) == 'table' and reply.err
  -- Redis 7.0 has a different text.
  local isRefused = refusal and (string.find(refusal, 'ACL failure') or string.find(refusal, 'user executing the script'))
  if isRefused then table.insert(refusals, { call[1], refusal }) end
end
return refusals`

/** Returns the subject of a refusal: the command, or the names of keys or channels. */
const subjectOf = (command: string, refusal: string, prefix: string): string => {
  const [, names] = /\b(key|channel)s?\b/.exec(refusal) ?? []
  return names === undefined ? command.toLowerCase() : `${names}s that start with ${prefix}:`
}

const missingRights = async (redis: Redis, prefix: string, replicas: number): Promise<ReadonlySet<string>> => {
  const missing = new Set<string>()
  const keyOf = (start: string): string => `${start}:{rights}:key`
  const channel = redis.channel(`${prefix}:{rights}:channel`)

  /** Records a refusal. Ignores other errors, which are about the arguments. */
  const attempt = async (command: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown instanceof RedisUnavailable) throw thrown
      if (thrown.message.startsWith('NOPERM')) missing.add(subjectOf(command, thrown.message, prefix))
      return undefined
    }
  }
  const send = (...args: string[]) => attempt(args[0] ?? '', () => redis.send(keyOf(prefix), args))

  const probe = async (start: string, calls: readonly string[][]): Promise<void> => {
    const refusals = await send('EVAL', PROBE, '0', JSON.stringify(calls))
    for (const [command, refusal] of (refusals ?? []) as [string, string][])
      missing.add(subjectOf(command, refusal, start))
  }

  await send('FCALL', 'heliograph_rights', '0')
  await attempt('function|load', () => redis.send(keyOf(prefix), ['FUNCTION', 'LOAD', '']))
  await attempt('ssubscribe', () => redis.subscribe(channel, () => undefined))
  await attempt('sunsubscribe', () => redis.unsubscribe(channel))
  const keyed = Object.entries(keyedCommands(prefix)).map(([command, rest]) =>
    [command, keyOf(prefix), ...rest.split(' ')].filter(word => word !== ''),
  )
  await probe(prefix, [...keyed, ['TIME'], ['SPUBLISH', channel, '']])
  if (replicas > 0) {
    await send('WAIT', '0', '0')
    await probe('fence', [['SET', keyOf('fence'), 'v']])
  }
  return missing
}

/**
 * Throws an error for the operator that lists the missing rights, such as `fcall` and `keys that start with relay:`.
 * `replicas` is the number of replicas that must have a message.
 */
export const refuseMissingRights = async (redis: Redis, prefix: string, replicas: number): Promise<void> => {
  const missing = await missingRights(redis, prefix, replicas)
  if (missing.size > 0) throw new Error(`the Redis user lacks rights: ${[...missing].join(', ')}`)
}
