/**
 * Watches: with a client's consent, the relay calls a service when the client publishes, or when a message for the
 * client is accepted, queued because the client is offline, or acknowledged. A watch does not affect the messages
 * themselves.
 */
import { createHash } from 'node:crypto'
import type { Payers } from '@heliograph/shared/server/limits/shares'
import { assertSigned } from '@heliograph/shared/server/transport/jwt'
import type { SigningKey } from '@heliograph/shared/server/webhooks/signing-key'
import type { Webhooks } from '@heliograph/shared/server/webhooks/webhooks'
import type { DidKey } from '@heliograph/shared/wire/did-key'
import {
  type Agreement,
  type EventClaims,
  readRegisterAuth,
  readUnregisterAuth,
  type WatchStatus,
  type WatchType,
} from '@heliograph/shared/wire/watch'
import type { Client, Message } from '../mailbox/mailbox.ts'
import { messageIdOf, messageNumberOf } from '../mailbox/message-id.ts'
import type { Watch, WatchRegistry } from './registry.ts'

export type Watches = {
  /**
   * Adds the watch that a token requests. Resolves with the relay's did:key when the watch is durable. Throws RpcError
   * 3000 for an invalid token, RpcError -32005 if a limit is reached, ValueError for an invalid claim or a refused
   * address.
   */
  register: (token: string, payers?: Payers) => Promise<DidKey>
  /** Removes the watch that a token names, if it exists, and its queued calls. Throws like `register`. */
  unregister: (token: string) => Promise<void>
  /** True if this client is watched or, without a client, if any client is watched. */
  has: (client?: Client) => boolean
  /** Reports an event to the client's watches. Resolves when the calls are durable; never rejects. */
  tell: (
    client: Client,
    typ: WatchType,
    status: WatchStatus,
    message: Pick<Message, 'topic' | 'json' | 'tag' | 'attestation' | 'publishedAt'>,
  ) => Promise<void>
}

export type WatchesOptions = {
  registry: WatchRegistry
  webhooks: Pick<Webhooks, 'call' | 'cancel' | 'refuseTarget'>
  key: SigningKey
  /** Public URLs of the relay. If empty, tokens with any audience are accepted. */
  publicUrls: readonly string[]
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

/** Services use HTTP, so a token may name the relay by its HTTP URL. */
const withHttp = (url: string): string[] => [url, url.replace(/^ws/, 'http')]

/** Returns the id of a client's watch, from its type, service (`sub`) and webhook. Registering it again replaces it. */
const idOf = ({ typ, sub, whu }: Pick<Watch, 'typ' | 'sub' | 'whu'>): string =>
  createHash('sha256')
    .update(JSON.stringify([typ, sub, whu]))
    .digest('base64url')

/** Returns the registration id of a watch's webhook calls. */
const registrationOf = (client: DidKey, id: string): string => `${client} ${id}`

export const createWatches = ({ registry, webhooks, key, publicUrls, now = Date.now }: WatchesOptions): Watches => {
  const audiences = publicUrls.length > 0 && { audiences: publicUrls.flatMap(withHttp) }
  const rules = () => ({ now: now() / 1000, ...audiences })

  const signedBy = <C extends Pick<Watch, 'typ' | 'sub' | 'whu'>>(
    agreement: Agreement<C>,
  ): { client: DidKey; claims: C; id: string } => {
    const { client, claims } = assertSigned(agreement)
    return { client, claims, id: idOf(claims) }
  }

  const callOf = (
    { client, id, typ, sub, whu }: Watch,
    status: WatchStatus,
    message: Parameters<Watches['tell']>[3],
  ) => {
    const { topic, tag, publishedAt, attestation } = message
    const messageId = messageIdOf(message)
    const claims: EventClaims = {
      act: 'irn_watchEvent',
      typ,
      aud: sub,
      sub: client,
      whu,
      evt: {
        messageId: messageNumberOf(messageId),
        status,
        topic,
        message: JSON.parse(message.json),
        attestation: attestation === '' ? null : attestation,
        publishedAt,
        tag,
      },
    }
    const registration = registrationOf(client, id)
    return { url: whu, registration, key: `${registration} ${status} ${topic} ${messageId}`, content: { claims } }
  }

  registry.onRemoved(({ client, id }) => webhooks.cancel(registrationOf(client, id)))

  return {
    register: async (token, payers) => {
      const { client, claims, id } = signedBy(readRegisterAuth(token, rules()))
      const { typ, sub, whu, tag, sts, exp } = claims
      webhooks.refuseTarget(whu, 'params.registerAuth.whu')
      await registry.add({ client, id, typ, sub, whu, tag, sts, expiresAt: Math.floor(exp * 1000) }, payers)
      return key.did
    },
    unregister: async token => {
      const { client, id } = signedBy(readUnregisterAuth(token, rules()))
      if (!registry.has(client)) return
      await registry.remove(client, id)
      webhooks.cancel(registrationOf(client, id))
    },
    has: registry.has,
    tell: async (client, typ, status, message) => {
      const watches = registry.matching(client, typ, status, message.tag)
      await Promise.all(watches.map(watch => webhooks.call(callOf(watch, status, message))))
    },
  }
}
