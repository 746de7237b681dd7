/** Schemas of values that occur in several methods and request bodies of the servers. */
import * as v from 'valibot'
import { rule } from './rules.ts'

/**
 * Maximum length in code points of a topic that is not a hash. In UTF-8 it has at most 1,024 bytes, which is
 * short enough for a database key.
 */
const MAX_TOPIC_LENGTH = 256
const MAX_UINT32 = 2 ** 32 - 1

const TOPIC = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_TOPIC_LENGTH}}$`, 'u')

/** A topic, or the client id of a webhook: text of limited length without control characters. */
export const topicSchema = v.pipe(v.string(), v.regex(TOPIC, rule('notTopic', { most: MAX_TOPIC_LENGTH })))

/** True for a whole number from 0 to 2^32 − 1. */
export const isUint32 = (value: number) => Number.isInteger(value) && value >= 0 && value <= MAX_UINT32

/** The rule of `isUint32`, as a message for a schema's check. */
export const uint32Rule = rule('notWholeNumber', { least: 0, most: MAX_UINT32 })

/** A whole number from 0 to 2^32 − 1. */
export const uint32Schema = v.pipe(v.number(), v.check(isUint32, uint32Rule))
