/**
 * A client of NATS JetStream on a plain socket, as cheap as wire.ts:
 * https://docs.nats.io/reference/reference-protocols. Each topic is a subject of one work queue, and each subscription
 * is a consumer that confirms each message. So messages are stored and removed as in the relay.
 */
import { connect } from 'node:net'
import type { Client, Listener } from './client.ts'

const STREAM = 'messages'
const END = '\r\n'
const SUBJECT = 1
const REPLY_OF_FOUR = 3

type Message = { subject: string; reply: string | undefined; text: string }

/** Reads complete messages from the start of the bytes. Returns the remaining bytes. */
const readMessages = (bytes: string, take: (message: Message) => void, pong: () => void): string => {
  let rest = bytes
  for (;;) {
    const end = rest.indexOf(END)
    if (end === -1) return rest
    const line = rest.slice(0, end)
    const words = line.split(' ')
    if (words[0] === 'MSG') {
      const length = Number(words.at(-1))
      const start = end + END.length
      if (rest.length < start + length + END.length) return rest
      const reply = words.length === REPLY_OF_FOUR + 2 ? words[REPLY_OF_FOUR] : undefined
      take({ subject: words[SUBJECT] ?? '', reply, text: rest.slice(start, start + length) })
      rest = rest.slice(start + length + END.length)
      continue
    }
    if (words[0] === 'PING') pong()
    if (words[0] === '-ERR') throw new Error(line)
    rest = rest.slice(end + END.length)
  }
}

let clients = 0

const openConnection = (port: number, onMessage: (message: Message) => void) => {
  let rest = ''
  let queue: string[] = []
  let subscriptions = 0
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.setEncoding('latin1')
  const flush = (): void => {
    const text = queue.join('')
    queue = []
    if (socket.writable) socket.write(text, 'latin1')
  }
  const write = (text: string): void => {
    if (queue.push(text) === 1) setImmediate(flush)
  }
  socket.on('data', chunk => {
    rest = readMessages(rest + chunk, onMessage, () => write(`PONG${END}`))
  })
  write(`CONNECT {"verbose":false,"pedantic":false,"echo":true}${END}`)
  return {
    subscribe: (subject: string) => write(`SUB ${subject} ${++subscriptions}${END}`),
    publish: (subject: string, reply: string, text: string) =>
      write(`PUB ${subject} ${reply} ${text.length}${END}${text}${END}`),
    socket,
  }
}

/** Connects a client. Its topics and messages must be ASCII. */
export const openJetStream = async (port: number, { onAnswer, onPush, onLost }: Listener): Promise<Client> => {
  const own = `client${process.pid}x${++clients}`
  const asking = new Map<string, () => void>()
  const onReply = (kind: string, name: string, text: string): void => {
    if (text.includes('"error"')) throw new Error(text)
    if (kind === 'publish') onAnswer?.(Number(name))
    else asking.get(name)?.()
  }
  const connection = openConnection(port, ({ subject, reply, text }) => {
    const [space = '', , kind = '', name = ''] = subject.split('.')
    if (space === '_INBOX') onReply(kind, name, text)
    else {
      if (reply) connection.publish(reply, '', '+ACK')
      onPush?.(subject.slice(subject.lastIndexOf('.') + 1), text)
    }
  })
  if (onLost) connection.socket.on('close', onLost)
  connection.subscribe(`_INBOX.${own}.>`)

  const ask = (api: string, name: string, body: object): Promise<void> =>
    new Promise(resolve => {
      asking.set(name, resolve)
      connection.publish(`$JS.API.${api}`, `_INBOX.${own}.ask.${name}`, JSON.stringify(body))
    })
  const config = { name: STREAM, subjects: ['topic.*'], retention: 'workqueue', storage: 'file', num_replicas: 1 }
  await ask(`STREAM.CREATE.${STREAM}`, 'stream', config)

  return {
    subscribe: topic => {
      // A consumer starts to deliver when a client is subscribed to exactly its delivery subject, so this comes first.
      connection.subscribe(`deliver.${own}.${topic}`)
      return ask(`CONSUMER.DURABLE.CREATE.${STREAM}.${topic}`, topic, {
        stream_name: STREAM,
        config: {
          durable_name: topic,
          filter_subject: `topic.${topic}`,
          deliver_subject: `deliver.${own}.${topic}`,
          deliver_policy: 'all',
          replay_policy: 'instant',
          ack_policy: 'explicit',
        },
      })
    },
    publish: (id, topic, message) => connection.publish(`topic.${topic}`, `_INBOX.${own}.publish.${id}`, message),
    close: () => void connection.socket.destroy(),
  }
}
