/**
 * Registration of a webhook for a topic: the body of `POST /subscribe` on the bridge and the relay.
 * https://docs.walletconnect.com/1.0/push-server
 */
import * as v from 'valibot'
import { parseUrl } from '../url.ts'
import { parseAs } from './params.ts'
import { topicSchema } from './relay-values.ts'
import { rule } from './rules.ts'

/** Maximum length of a webhook URL in characters. */
const MAX_WEBHOOK_LENGTH = 2048

const isHttpUrl = (text: string): boolean => {
  const url = parseUrl(text)
  if (!url) return false
  const { protocol, username, password, port } = url
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && port !== '0'
}

/** A webhook URL. Checks only its form; whether the host may be called is checked before each call. */
export const webhookUrlSchema = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.check(text => text.length <= maxLength && isHttpUrl(text), rule('notWebhookUrl', { most: maxLength })),
    // URL parsing drops spaces and control characters, so a URL with them would differ from the URL that was checked.
    v.regex(/^[^\s\p{Cc}]*$/u, rule('spaceInUrl', {})),
  )

/** Normalizes a URL so that it is registered once. The fragment is never sent. */
const normalized = (text: string): string => {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

const registrationSchema = v.object({
  topic: topicSchema,
  webhook: v.pipe(webhookUrlSchema(MAX_WEBHOOK_LENGTH), v.transform(normalized)),
})
/** A topic and the URL to call, without its fragment. */
export type WebhookRegistration = v.InferOutput<typeof registrationSchema>

/** Validates a decoded request body and drops unknown members. Throws ValueError: `body.topic: is missing`. */
export const parseRegistration = (body: unknown): WebhookRegistration => parseAs(body, registrationSchema, 'body')
