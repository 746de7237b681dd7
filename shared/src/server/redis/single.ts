/** A single Redis server, or the current primary among several servers. */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { databaseOf, placeOf } from './address.ts'
import { CONNECT_WITHIN, FREE_SOCKET_AFTER, PING_EVERY, REPLY_WITHIN, RETRY_AFTER, SILENT_FOR } from './limits.ts'
import {
  channelIn,
  isMoved,
  loadCommand,
  type Redis,
  RedisUnavailable,
  type Reply,
  replyIfAny,
  replyOf,
  runScript,
  within,
} from './redis.ts'

/** Options of all connections. The library does not reconnect: `openSingle` does, perhaps to another server. */
export const clientOptions = (url: string) => ({
  url,
  socket: { reconnectStrategy: false as const, connectTimeout: FREE_SOCKET_AFTER, socketTimeout: SILENT_FOR },
  pingInterval: PING_EVERY,
  disableClientInfo: true,
  maintNotifications: 'disabled' as const,
  // The library sets no timeout, because its timer for each command costs more than the command. Calls have their own
  // timeout.
  commandOptions: { timeout: 0 },
})

const connect = async (url: string) => {
  const client = createClient(clientOptions(url))
  client.on('error', () => undefined)
  try {
    await within(client.connect(), CONNECT_WITHIN)
    return client
  } catch (thrown) {
    client.destroy()
    throw thrown
  }
}
type Client = Awaited<ReturnType<typeof connect>>

/** Resolves with the reason why a server cannot be used, or undefined. PING fails while the server loads its data. */
const unfitness = async (client: Client): Promise<string | undefined> => {
  try {
    await within(client.ping(), CONNECT_WITHIN)
    const role = await within(client.sendCommand(['ROLE']), CONNECT_WITHIN)
    return Array.isArray(role) && role[0] === 'master' ? undefined : 'it is not a primary'
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

/** Connects to the first server that is a primary. Throws RedisUnavailable, which names all servers. */
const connectPrimary = async (urls: readonly string[]): Promise<Client> => {
  const reasons: string[] = []
  for (const url of urls) {
    try {
      const client = await connect(url)
      const reason = await unfitness(client)
      if (reason === undefined) return client
      client.destroy()
      reasons.push(`${placeOf(url)}: ${reason}`)
    } catch (thrown) {
      reasons.push(`${placeOf(url)}: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  throw new RedisUnavailable(reasons.join(', '))
}

/** Opens a connection, and replaces it whenever it is lost. Throws RedisUnavailable if there is no primary at first. */
export const openSingle = async (urls: readonly [string, ...string[]]): Promise<Redis> => {
  const listeners = new Map<string, (message: string) => void>()
  const tellGap: (() => void)[] = []
  const database = databaseOf(urls[0])
  let failure: string | undefined
  let isOpen = true
  let current = Promise.resolve(await connectPrimary(urls))

  const listen = async (client: Client, channel: string): Promise<void> => {
    await client.sSubscribe(channel, message => listeners.get(channel)?.(message))
  }

  const reconnect = async (): Promise<Client> => {
    while (isOpen) {
      try {
        const client = await connectPrimary(urls)
        await Promise.all([...listeners.keys()].map(channel => listen(client, channel)))
        // The connection may already be lost again, which `watch` would not notice.
        if (!client.isReady) throw new RedisUnavailable('the connection to Redis is lost')
        watch(client)
        failure = undefined
        for (const tell of tellGap) tell()
        return client
      } catch (thrown) {
        failure = thrown instanceof Error ? thrown.message : String(thrown)
        await pause(RETRY_AFTER)
      }
    }
    throw new RedisUnavailable('the connection was closed')
  }

  /** Replaces a connection, at most once. */
  const replace = (client: Client): void => {
    if (lost.has(client) || !isOpen) return
    lost.add(client)
    failure = 'the connection to Redis is lost'
    if (client.isOpen) client.destroy()
    current = reconnect()
    current.catch(() => undefined)
  }
  const lost = new WeakSet<Client>()
  const watch = (client: Client): void => {
    for (const event of ['error', 'end', 'terminated']) client.on(event, () => replace(client))
  }
  watch(await current)

  /** Sends a command, unless the call has already timed out for its caller. */
  const attempt = async (args: readonly string[], call: { isOver: boolean }): Promise<Reply> => {
    const client = await current
    if (call.isOver) throw new RedisUnavailable('the connection was made too late')
    try {
      return (await client.sendCommand([...args])) as Reply
    } catch (thrown) {
      if (isMoved(thrown) || !client.isOpen) replace(client)
      throw thrown
    }
  }

  /** Attempts a command for as long as `wait` waits for it. */
  const attemptWhile = async <T>(wait: (work: Promise<Reply>) => Promise<T>, args: readonly string[]): Promise<T> => {
    const call = { isOver: false }
    try {
      return await wait(attempt(args, call))
    } finally {
      call.isOver = true
    }
  }

  const note = (reason: string | undefined): void => {
    failure = reason
  }
  const send: Redis['send'] = (_, args) => attemptWhile(work => replyOf(work, REPLY_WITHIN, note), args)

  return {
    send,
    sendEach: async args => [await attemptWhile(work => replyIfAny(work, REPLY_WITHIN), args)],
    load: async script => {
      await send('', loadCommand(script))
    },
    run: (script, keys, args) => runScript(send, script, keys, args),
    storing: (_, work) => work(),
    channel: name => channelIn(database, name),
    subscribe: async (channel, onMessage) => {
      listeners.set(channel, onMessage)
      await listen(await current, channel)
    },
    unsubscribe: async channel => {
      listeners.delete(channel)
      await (await current).sUnsubscribe(channel)
    },
    onGap: tell => {
      tellGap.push(tell)
    },
    failure: () => failure,
    primaries: () => 1,
    close: async () => {
      isOpen = false
      const client = await Promise.race([current, pause(RETRY_AFTER)]).catch(() => undefined)
      if (client?.isOpen) client.destroy()
    },
  }
}
