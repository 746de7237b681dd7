/**
 * Under which name a session asks in the wallet: no site can have it, and no other session. It is made of the topic and
 * does not show it, as what the wallet notes of requests is not all sealed.
 */
import { hashOf } from './seen.ts'

const SCHEME = 'wc:'

export const originOf = (topic: string): string => `${SCHEME}${hashOf(topic)}`

/** Whether it is a session that asks under this name, and not a site. */
export const isRemote = (origin: string): boolean => origin.startsWith(SCHEME)
