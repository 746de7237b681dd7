/** Ids of messages in receipts and watch events. `json` is the text stored in the mailbox. */
import { createHash } from 'node:crypto'

/** First hex digits of the hash, 52 bits: an integer that every JSON parser represents exactly. */
const NUMBER_DIGITS = 13

/** Hex SHA-256 of the published message. */
export const messageIdOf = ({ json }: { json: string }): string =>
  createHash('sha256').update(JSON.parse(json)).digest('hex')

/** The id as a number, for watch events. */
export const messageNumberOf = (id: string): number => Number.parseInt(id.slice(0, NUMBER_DIGITS), 16)
