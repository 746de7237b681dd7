/** The protocols of the measured servers. Ids have 16 digits and topics 64 characters, all of them ASCII. */

export type Incoming =
  | { kind: 'answer'; id: number; isTrue: boolean }
  | { kind: 'push'; acknowledgement: string; topic: string; message: string }

export type Dialect = {
  isBinary: boolean
  /** True if a publish gets no response and a push needs no acknowledgement. */
  isSilent: boolean
  /** True if a subscribe gets no response either. */
  isMute?: true
  subscribe: (topic: string) => string
  publish: (id: number, topic: string, message: string) => string
  read: (frame: string) => Incoming
}

const FIRST_ID = 1_778_000_000_000_000
/** Lifetime of messages in seconds, longer than any measurement. */
const TTL = 3600

const between = (text: string, before: string, after: string): string => {
  const at = text.indexOf(before)
  if (at === -1) throw new Error(`unexpected frame: ${text.slice(0, 120)}`)
  const start = at + before.length
  return text.slice(start, text.indexOf(after, start))
}

const request = (id: number, method: string, params: string): string =>
  `{"id":${FIRST_ID + id},"jsonrpc":"2.0","method":"${method}","params":{${params}}}`

const relay: Dialect = {
  isBinary: false,
  isSilent: false,
  subscribe: topic => request(0, 'relay_subscribe', `"topic":"${topic}"`),
  publish: (id, topic, message) =>
    request(id, 'relay_publish', `"topic":"${topic}","message":"${message}","ttl":${TTL}`),
  read: frame => {
    if (frame.includes('"error":')) throw new Error(`refused: ${frame}`)
    const id = between(frame, '"id":', ',')
    if (!frame.includes('"method":'))
      return { kind: 'answer', id: Number(id) - FIRST_ID, isTrue: frame.includes('"result":true') }
    const [topic, message] = [between(frame, '"topic":"', '"'), between(frame, '"message":"', '"')]
    return { kind: 'push', acknowledgement: `{"id":${id},"jsonrpc":"2.0","result":true}`, topic, message }
  },
}

const bridgeFrame = (topic: string, type: string, payload: string): string =>
  `{"topic":"${topic}","type":"${type}","payload":"${payload}","silent":true}`

/** The bridge's protocol. Clients receive only pushes, and frames are queued for their subscriber. */
const bridge: Dialect = {
  isBinary: false,
  isSilent: true,
  isMute: true,
  subscribe: topic => bridgeFrame(topic, 'sub', ''),
  publish: (_, topic, message) => bridgeFrame(topic, 'pub', message),
  read: frame => ({
    kind: 'push',
    acknowledgement: '',
    topic: between(frame, '"topic":"', '"'),
    message: between(frame, '"payload":"', '"'),
  }),
}

const ID = 16
const TOPIC = 64

const readRaw = (frame: string, topicAt: number): Incoming => {
  const isTrue = frame[0] === 'A'
  if (isTrue || frame[0] === 'K') return { kind: 'answer', id: Number(frame.slice(1)) - FIRST_ID, isTrue }
  const messageAt = topicAt + TOPIC
  const [topic, message] = [frame.slice(topicAt, messageAt), frame.slice(messageAt)]
  return { kind: 'push', acknowledgement: `D${frame.slice(1, topicAt)}`, topic, message }
}

/** The raw server's protocol, with as many frames per message as the relay's protocol. */
const raw4: Dialect = {
  isBinary: true,
  isSilent: false,
  subscribe: topic => `S${topic}`,
  publish: (id, topic, message) => `P${FIRST_ID + id}${topic}${message}`,
  read: frame => readRaw(frame, 1 + ID),
}

/** The raw server's protocol with two frames per message. */
const raw2: Dialect = {
  ...raw4,
  isSilent: true,
  publish: (_, topic, message) => `Q${topic}${message}`,
  read: frame => readRaw(frame, 1),
}

export const dialects = { relay, bridge, raw4, raw2 }
export type DialectName = keyof typeof dialects
