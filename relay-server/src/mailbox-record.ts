/**
 * The stored form of a message: one line of JSON with all that decides who gets it, then the message as it is spliced
 * into frames. At start-up the lines alone are read.
 */
import type { Client, Message } from './mailbox.ts'
import type { Entry } from './topic-index.ts'

/** `waiting` holds named clients: a socket that waits does not outlive the process. The rest as in `Entry`. */
export type Line = Pick<Entry, 'publisher' | 'isOpen' | 'expiresAt' | 'digest'> & {
  topic: string
  waiting: readonly Client[]
}

/** Stands among the waiting for the first that comes. */
const ANYONE = '*'
const NEWLINE = 0x0a

type Row = [
  topic: string,
  publisher: Client,
  names: readonly (Client | typeof ANYONE)[],
  expiresAt: number,
  digest: number,
  publishedAt: number,
  tag: number,
  attestation: string,
]

/** The bytes of a record; `decodeLine` and `decodeMessage` read them back. */
export const encodeRecord = (line: Line, { message, publishedAt, tag, attestation }: Message): Buffer => {
  const { topic, publisher, waiting, isOpen, expiresAt, digest } = line
  const names: Row['2'] = isOpen ? [...waiting, ANYONE] : waiting
  const row: Row = [topic, publisher, names, expiresAt, digest, publishedAt, tag, attestation]
  return Buffer.from(`${JSON.stringify(row)}\n${message}`)
}

const decodeRow = (bytes: Buffer): { row: Row; messageAt: number } => {
  const end = bytes.indexOf(NEWLINE)
  return { row: JSON.parse(bytes.toString('utf8', 0, end)), messageAt: end + 1 }
}

/** What decides who gets the message, and its size in bytes. */
export const decodeLine = (bytes: Buffer): Line & { size: number } => {
  const { row, messageAt } = decodeRow(bytes)
  const [topic, publisher, names, expiresAt, digest] = row
  const waiting = names.filter(name => name !== ANYONE)
  const isOpen = waiting.length < names.length
  return { topic, publisher, waiting, isOpen, expiresAt, digest, size: bytes.length - messageAt }
}

/** The message of the record with that sequence number. */
export const decodeMessage = (seq: number, bytes: Buffer): Message => {
  const { row, messageAt } = decodeRow(bytes)
  const [, , , , , publishedAt, tag, attestation] = row
  return { seq, publishedAt, tag, attestation, message: bytes.toString('utf8', messageAt) }
}
