/** Computes the message ids of receipts and watch events. `json` is the text stored in the mailbox. */
import { createHash } from 'node:crypto'

/** Number of hex digits of the hash in a numeric id: 52 bits, which every JSON parser represents exactly. */
const NUMBER_DIGITS = 13

/** Returns the hex SHA-256 of the published message. */
export const messageIdOf = ({ json }: { json: string }): string =>
  createHash('sha256').update(JSON.parse(json)).digest('hex')

/** Returns an id's first 52 bits as a number, for watch events. */
export const messageNumberOf = (id: string): number => Number.parseInt(id.slice(0, NUMBER_DIGITS), 16)
