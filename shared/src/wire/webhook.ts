/** Registration of a webhook for a topic: the body of `POST /subscribe` on the bridge and the relay. */
import * as v from 'valibot'
import { parse } from './params.ts'
import { topic } from './relay-methods.ts'

/** Characters of a webhook address. */
export const MAX_WEBHOOK_LENGTH = 2048

const isHttpUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, port } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && port !== '0'
}

/** The address of a webhook, its form only: which hosts may be called is decided where they are called. */
export const webhookUrl = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.check(
      text => text.length <= maxLength && isHttpUrl(text),
      `must be an http or https URL without credentials, at most ${maxLength} characters`,
    ),
    // URL parsing drops these: what is looked at would not be what was sent.
    v.regex(/^[^\s\p{Cc}]*$/u, 'must hold no space and no control character'),
  )

/** One spelling for one address, so that it is registered once. What stands behind a # is never sent. */
const normalized = (text: string): string => {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

export const registrationSchema = v.object({
  topic,
  webhook: v.pipe(webhookUrl(MAX_WEBHOOK_LENGTH), v.transform(normalized)),
})
export type Registration = v.InferOutput<typeof registrationSchema>

/** Reads a decoded request body; members it does not know are dropped. Throws ValueError: `body.topic: is missing`. */
export const parseRegistration = (body: unknown): Registration => parse(registrationSchema, body, 'body')
