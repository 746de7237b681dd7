/** A Redis Cluster. The client library tracks the slots; commands for a key go to the primary of the key's slot. */
import { createCluster } from '@redis/client'
import { CONNECT_WITHIN, PING_EVERY, REPLY_WITHIN, RETRY_AFTER, SILENT_FOR } from './limits.ts'
import { asUnavailable, loadCommand, type Redis, type Reply, replyIfAny, replyOf, runScript, within } from './redis.ts'

/** Command options. A command that could not be sent in time is dropped instead of being sent later. */
const UNSENT = { timeout: REPLY_WITHIN }

const connectionOptions = (url: string) => {
  const { username, password, protocol } = new URL(url)
  const common = { reconnectStrategy: RETRY_AFTER, connectTimeout: CONNECT_WITHIN, socketTimeout: SILENT_FOR }
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    socket: protocol === 'rediss:' ? { ...common, tls: true as const } : common,
    pingInterval: PING_EVERY,
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
  }
}

/** Connects to a cluster through the given nodes. Throws RedisUnavailable. */
export const openCluster = async (urls: readonly [string, ...string[]]): Promise<Redis> => {
  const options = connectionOptions(urls[0])
  const cluster = createCluster({ rootNodes: urls.map(url => ({ ...options, url })), defaults: options })
  const tellGap: (() => void)[] = []
  const down = new Set<string>()
  let failure: string | undefined

  const nameOf = ({ host, port }: { host: string; port: number }): string => `${host}:${port}`
  cluster.on('error', () => undefined)
  cluster.on('node-error', () => undefined)
  cluster.on('node-disconnect', node => down.delete(nameOf(node)))
  cluster.on('node-reconnecting', node => down.add(nameOf(node)))
  cluster.on('node-ready', node => {
    down.delete(nameOf(node))
    for (const tell of tellGap) tell()
  })
  cluster.on('sharded-channel-moved-error', () => {
    for (const tell of tellGap) tell()
  })

  try {
    await within(cluster.connect(), 2 * CONNECT_WITHIN)
  } catch (thrown) {
    cluster.destroy()
    throw asUnavailable(thrown)
  }

  const note = (reason: string | undefined): void => {
    failure = reason
  }
  const send: Redis['send'] = (key, args) =>
    replyOf(cluster.sendCommand<Reply>(key, false, [...args], UNSENT), REPLY_WITHIN, note)

  const sendTo = async (master: (typeof cluster.masters)[number], args: readonly string[]): Promise<Reply> =>
    (await cluster.nodeClient(master)).sendCommand<Reply>([...args], UNSENT)

  return {
    send,
    sendEach: args => Promise.all(cluster.masters.map(master => replyIfAny(sendTo(master, args), REPLY_WITHIN))),
    load: async script => {
      const clients = await Promise.all(cluster.masters.map(master => cluster.nodeClient(master)))
      await Promise.all(clients.map(client => within(client.sendCommand(loadCommand(script)), REPLY_WITHIN)))
    },
    run: (script, keys, args) => runScript(send, script, keys, args),
    storing: (_, work) => work(),
    // A cluster has only one database, so a channel's name needs no database number.
    channel: name => name,
    subscribe: async (channel, onMessage) => {
      await cluster.sSubscribe(channel, onMessage)
    },
    unsubscribe: async channel => {
      await cluster.sUnsubscribe(channel)
    },
    onGap: tell => {
      tellGap.push(tell)
    },
    failure: () => failure ?? (down.size > 0 ? `${[...down].join(', ')}: the connection is lost` : undefined),
    primaries: () => cluster.masters.length,
    close: async () => cluster.destroy(),
  }
}
