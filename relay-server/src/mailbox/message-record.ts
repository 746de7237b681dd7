/**
 * Record format of a message: a fixed-length head with the delivery data, then the strings. The message text is last,
 * in the form in which it is copied into frames. Restoring the mailbox skips the texts.
 */
import type { Payload } from '@heliograph/shared/server/storage/record'
import type { Client, Message, Textless } from './mailbox.ts'

/** Offsets in the head. Numbers are little-endian. Times are doubles, because milliseconds exceed 32 bits. */
const SIZE = 0
const TAG = 4
const SEQ = 8
const EXPIRES = 16
const PUBLISHED = 24
/** Lengths in UTF-16 code units of the strings before the text, which are decoded together and then split. */
const TOPIC_UNITS = 32
const PUBLISHER_UNITS = 34
const ATTESTATION_UNITS = 36
const IS_OPEN = 40
const HEAD_BYTES = 41

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const UNIT_BYTES = 3

/** Returns an upper bound of the record's length in bytes. */
export const roomFor = ({ topic, publisher, attestation }: Textless, text: string): number =>
  HEAD_BYTES + UNIT_BYTES * (topic.length + publisher.length + attestation.length + text.length)

/** Writes the record and returns its length in bytes. */
export const writeMessage = (bytes: Buffer, at: number, message: Textless, text: string, isOpen: boolean): number => {
  const { topic, publisher, attestation } = message
  const textAt = at + HEAD_BYTES + bytes.write(topic + publisher + attestation, at + HEAD_BYTES)
  // The text is written separately, because concatenating it with the other strings would copy it.
  const end = textAt + bytes.write(text, textAt)
  bytes.writeUInt32LE(message.size, at + SIZE)
  bytes.writeUInt32LE(message.tag, at + TAG)
  bytes.writeDoubleLE(message.seq, at + SEQ)
  bytes.writeDoubleLE(message.expiresAt, at + EXPIRES)
  bytes.writeDoubleLE(message.publishedAt, at + PUBLISHED)
  bytes.writeUInt16LE(topic.length, at + TOPIC_UNITS)
  bytes.writeUInt16LE(publisher.length, at + PUBLISHER_UNITS)
  bytes.writeUInt32LE(attestation.length, at + ATTESTATION_UNITS)
  bytes.writeUInt8(isOpen ? 1 : 0, at + IS_OPEN)
  return end - at
}

/** The delivery data of a message. */
export type Head = Pick<Message, 'seq' | 'topic' | 'publisher' | 'expiresAt' | 'size'> & { isOpen: boolean }

export const seqIn = ({ bytes, start }: Payload): number => bytes.readDoubleLE(start + SEQ)

export const readHead = ({ bytes, start, end }: Payload): Head => {
  const size = bytes.readUInt32LE(start + SIZE)
  const strings = bytes.toString('utf8', start + HEAD_BYTES, end - size)
  const publisherAt = bytes.readUInt16LE(start + TOPIC_UNITS)
  const attestationAt = publisherAt + bytes.readUInt16LE(start + PUBLISHER_UNITS)
  return {
    seq: bytes.readDoubleLE(start + SEQ),
    topic: strings.slice(0, publisherAt),
    publisher: strings.slice(publisherAt, attestationAt) as Client,
    expiresAt: bytes.readDoubleLE(start + EXPIRES),
    size,
    isOpen: bytes.readUInt8(start + IS_OPEN) === 1,
  }
}

export const readMessage = ({ bytes, start, end }: Payload): Message => {
  const strings = bytes.toString('utf8', start + HEAD_BYTES, end)
  const publisherAt = bytes.readUInt16LE(start + TOPIC_UNITS)
  const attestationAt = publisherAt + bytes.readUInt16LE(start + PUBLISHER_UNITS)
  const jsonAt = attestationAt + bytes.readUInt32LE(start + ATTESTATION_UNITS)
  return {
    seq: bytes.readDoubleLE(start + SEQ),
    topic: strings.slice(0, publisherAt),
    publisher: strings.slice(publisherAt, attestationAt) as Client,
    publishedAt: bytes.readDoubleLE(start + PUBLISHED),
    expiresAt: bytes.readDoubleLE(start + EXPIRES),
    tag: bytes.readUInt32LE(start + TAG),
    attestation: strings.slice(attestationAt, jsonAt),
    json: strings.slice(jsonAt),
    size: bytes.readUInt32LE(start + SIZE),
  }
}

/** Returns the message's text, without copying it. */
export const textIn = ({ bytes, start, end }: Payload): Buffer =>
  bytes.subarray(end - bytes.readUInt32LE(start + SIZE), end)
