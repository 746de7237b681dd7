/** Registration of a webhook for a topic: the body of `POST /subscribe` on the bridge and the relay. */
import * as v from 'valibot'
import { parse } from './params.ts'
import { topic } from './relay-methods.ts'

/** Characters of a webhook address. */
export const MAX_WEBHOOK_LENGTH = 2048

/** The form only: which hosts may be called is decided where they are called. */
const isWebhook = (text: string): boolean => {
  if (text.length > MAX_WEBHOOK_LENGTH || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

export const registrationSchema = v.object({
  topic,
  webhook: v.pipe(
    v.string(),
    v.check(isWebhook, `must be an http or https URL without credentials, at most ${MAX_WEBHOOK_LENGTH} characters`),
  ),
})
export type Registration = v.InferOutput<typeof registrationSchema>

/** Reads a decoded request body; members it does not know are dropped. Throws ValueError: `body.topic: is missing`. */
export const parseRegistration = (body: unknown): Registration => parse(registrationSchema, body, 'body')
