/** What a message is called in receipts and in watch events. `message` is its JSON text, as the mailbox has it. */
import { createHash } from 'node:crypto'

/** The first digits of the hash, 52 bits of it: a number that every JSON reader keeps. */
const NUMBER_DIGITS = 13

/** Hex SHA-256 of the message as it was published. */
export const messageIdOf = ({ message }: { message: string }): string =>
  createHash('sha256').update(JSON.parse(message)).digest('hex')

/** The same id as a number: receivers of watch events read one. */
export const messageNumberOf = (id: string): number => Number.parseInt(id.slice(0, NUMBER_DIGITS), 16)
