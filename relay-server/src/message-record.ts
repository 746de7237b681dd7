/**
 * The stored form of a message: a head of fixed length with all that decides who gets it, then its strings, the message
 * last, as it is spliced into frames. Records lie one after the other in a chunk. At start-up the messages themselves
 * are passed over.
 */
import type { Client, Message } from './mailbox.ts'

/** Byte offsets in the head. Numbers are little-endian; times are doubles, as milliseconds outgrow 32 bits. */
const LENGTH = 0
const SEQ = 4
const EXPIRES = 12
const PUBLISHED = 20
const TAG = 28
const TOPIC_BYTES = 32
const PUBLISHER_BYTES = 34
const ATTESTATION_BYTES = 36
const IS_OPEN = 40
const HEAD_BYTES = 41

/** Most bytes that UTF-8 needs for a UTF-16 unit. */
const UNIT_BYTES = 3

/** Bytes that are enough for the record of a message. */
export const roomFor = ({ topic, publisher, attestation, message }: Message): number =>
  HEAD_BYTES + UNIT_BYTES * (topic.length + publisher.length + attestation.length + message.length)

/** Writes the record at the offset and returns the offset after it. */
export const writeRecord = (bytes: Buffer, at: number, message: Message, isOpen: boolean): number => {
  const topicEnd = at + HEAD_BYTES + bytes.write(message.topic, at + HEAD_BYTES)
  const publisherEnd = topicEnd + bytes.write(message.publisher, topicEnd)
  const attestationEnd = publisherEnd + bytes.write(message.attestation, publisherEnd)
  const end = attestationEnd + bytes.write(message.message, attestationEnd)
  bytes.writeUInt32LE(end - at, at + LENGTH)
  bytes.writeDoubleLE(message.seq, at + SEQ)
  bytes.writeDoubleLE(message.expiresAt, at + EXPIRES)
  bytes.writeDoubleLE(message.publishedAt, at + PUBLISHED)
  bytes.writeUInt32LE(message.tag, at + TAG)
  bytes.writeUInt16LE(topicEnd - at - HEAD_BYTES, at + TOPIC_BYTES)
  bytes.writeUInt16LE(publisherEnd - topicEnd, at + PUBLISHER_BYTES)
  bytes.writeUInt32LE(attestationEnd - publisherEnd, at + ATTESTATION_BYTES)
  bytes.writeUInt8(isOpen ? 1 : 0, at + IS_OPEN)
  return end
}

/** What decides who gets the message, where its record ends, and the bytes of the message itself. */
export type Head = Pick<Message, 'seq' | 'topic' | 'publisher' | 'expiresAt'> & {
  isOpen: boolean
  end: number
  size: number
}

const stringsOf = (bytes: Buffer, at: number) => {
  const topic = at + HEAD_BYTES
  const publisher = topic + bytes.readUInt16LE(at + TOPIC_BYTES)
  const attestation = publisher + bytes.readUInt16LE(at + PUBLISHER_BYTES)
  const message = attestation + bytes.readUInt32LE(at + ATTESTATION_BYTES)
  return { topic, publisher, attestation, message, end: at + bytes.readUInt32LE(at + LENGTH) }
}

/** The head of the record at the offset. */
export const readHead = (bytes: Buffer, at: number): Head => {
  const { topic, publisher, attestation, message, end } = stringsOf(bytes, at)
  return {
    seq: bytes.readDoubleLE(at + SEQ),
    topic: bytes.toString('utf8', topic, publisher),
    publisher: bytes.toString('utf8', publisher, attestation) as Client,
    expiresAt: bytes.readDoubleLE(at + EXPIRES),
    isOpen: bytes.readUInt8(at + IS_OPEN) === 1,
    end,
    size: end - message,
  }
}

/** The message of the record at the offset. */
export const readMessage = (bytes: Buffer, at: number): Message => {
  const { seq, topic, publisher, expiresAt } = readHead(bytes, at)
  const strings = stringsOf(bytes, at)
  return {
    seq,
    topic,
    publisher,
    expiresAt,
    publishedAt: bytes.readDoubleLE(at + PUBLISHED),
    tag: bytes.readUInt32LE(at + TAG),
    attestation: bytes.toString('utf8', strings.attestation, strings.message),
    message: bytes.toString('utf8', strings.message, strings.end),
  }
}
