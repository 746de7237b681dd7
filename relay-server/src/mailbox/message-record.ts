/**
 * The stored form of a message: a head of fixed length with all that decides who gets it, then its strings, the message
 * last, as it is spliced into frames. Records lie one after the other in a chunk. At start-up the messages themselves
 * are passed over.
 */
import type { Client, Message, Textless } from './mailbox.ts'

/** Byte offsets in the head. Numbers are little-endian; times are doubles, as milliseconds outgrow 32 bits. */
const LENGTH = 0
const SIZE = 4
const SEQ = 8
const EXPIRES = 16
const PUBLISHED = 24
const TAG = 32
/** Lengths of the first strings in UTF-16 units, by which they are told apart once they are decoded together. */
const TOPIC_UNITS = 36
const PUBLISHER_UNITS = 38
const ATTESTATION_UNITS = 40
const IS_OPEN = 44
const HEAD_BYTES = 45

/** Most bytes that UTF-8 needs for a UTF-16 unit. */
const UNIT_BYTES = 3

/** Bytes that are enough for the record of a message with that text. */
export const roomFor = ({ topic, publisher, attestation }: Textless, text: string): number =>
  HEAD_BYTES + UNIT_BYTES * (topic.length + publisher.length + attestation.length + text.length)

/** Writes the record at the offset and returns the offset after it. */
export const writeRecord = (bytes: Buffer, at: number, message: Textless, text: string, isOpen: boolean): number => {
  const { topic, publisher, attestation, size } = message
  const textAt = at + HEAD_BYTES + bytes.write(topic + publisher + attestation, at + HEAD_BYTES)
  // By itself, as it would be copied to be put together with the others.
  const end = textAt + bytes.write(text, textAt)
  bytes.writeUInt32LE(end - at, at + LENGTH)
  bytes.writeUInt32LE(size, at + SIZE)
  bytes.writeDoubleLE(message.seq, at + SEQ)
  bytes.writeDoubleLE(message.expiresAt, at + EXPIRES)
  bytes.writeDoubleLE(message.publishedAt, at + PUBLISHED)
  bytes.writeUInt32LE(message.tag, at + TAG)
  bytes.writeUInt16LE(topic.length, at + TOPIC_UNITS)
  bytes.writeUInt16LE(publisher.length, at + PUBLISHER_UNITS)
  bytes.writeUInt32LE(attestation.length, at + ATTESTATION_UNITS)
  bytes.writeUInt8(isOpen ? 1 : 0, at + IS_OPEN)
  return end
}

/** What decides who gets the message, and the offset after its record. */
export type Head = Pick<Message, 'seq' | 'topic' | 'publisher' | 'expiresAt' | 'size'> & {
  isOpen: boolean
  end: number
}

/** The head of the record at the offset. */
export const readHead = (bytes: Buffer, at: number): Head => {
  const end = at + bytes.readUInt32LE(at + LENGTH)
  const size = bytes.readUInt32LE(at + SIZE)
  const strings = bytes.toString('utf8', at + HEAD_BYTES, end - size)
  const publisherAt = bytes.readUInt16LE(at + TOPIC_UNITS)
  const attestationAt = publisherAt + bytes.readUInt16LE(at + PUBLISHER_UNITS)
  return {
    seq: bytes.readDoubleLE(at + SEQ),
    topic: strings.slice(0, publisherAt),
    publisher: strings.slice(publisherAt, attestationAt) as Client,
    expiresAt: bytes.readDoubleLE(at + EXPIRES),
    size,
    isOpen: bytes.readUInt8(at + IS_OPEN) === 1,
    end,
  }
}

/** Heads of the records of a chunk, by their offsets. */
export const headsIn = function* (bytes: Buffer): Generator<[at: number, head: Head]> {
  for (let at = 0; at < bytes.length; ) {
    const head = readHead(bytes, at)
    yield [at, head]
    at = head.end
  }
}

/** The message of the record at the offset. */
export const readMessage = (bytes: Buffer, at: number): Message => {
  const end = at + bytes.readUInt32LE(at + LENGTH)
  const size = bytes.readUInt32LE(at + SIZE)
  const strings = bytes.toString('utf8', at + HEAD_BYTES, end)
  const publisherAt = bytes.readUInt16LE(at + TOPIC_UNITS)
  const attestationAt = publisherAt + bytes.readUInt16LE(at + PUBLISHER_UNITS)
  const messageAt = attestationAt + bytes.readUInt32LE(at + ATTESTATION_UNITS)
  return {
    seq: bytes.readDoubleLE(at + SEQ),
    topic: strings.slice(0, publisherAt),
    publisher: strings.slice(publisherAt, attestationAt) as Client,
    publishedAt: bytes.readDoubleLE(at + PUBLISHED),
    expiresAt: bytes.readDoubleLE(at + EXPIRES),
    tag: bytes.readUInt32LE(at + TAG),
    attestation: strings.slice(attestationAt, messageAt),
    message: strings.slice(messageAt),
    size,
  }
}

/** The text of the record at the offset, which is not copied. */
export const textIn = (bytes: Buffer, at: number): Buffer => {
  const end = at + bytes.readUInt32LE(at + LENGTH)
  return bytes.subarray(end - bytes.readUInt32LE(at + SIZE), end)
}
