/** `publish` and `batchPublish`. */
import { parseParams } from '@heliograph/shared/wire/params'
import { type PublishParams, type RelayPrefix, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../../delivery/delivery.ts'
import { relayError } from '../../reasons.ts'
import type { Method, Outcome, Parts } from '../method.ts'
import { type Posting, type Publishing, toPosting } from '../publishing.ts'

export const messageMethods = ({ limits }: Parts, publishing: Publishing) => {
  /** Throws RpcError -32602 if the ttl of a `relay_` publish is too long, and -32005 if the message is. */
  const postingOf = (message: PublishParams, place: string, prefix: RelayPrefix): Posting => {
    if (prefix === 'relay' && message.ttl > limits.maxTtl)
      throw relayError('invalidParams', 'ttlTooLong', {
        place: `${place}.ttl`,
        limit: limits.maxTtl,
        setting: 'max-ttl',
      })
    return toPosting(message, `${place}.message`, limits)
  }

  const publishAll = async (peer: Peer, postings: readonly Posting[]): Promise<Outcome> => {
    const published = publishing.accept(peer, postings)
    await published.commit.durable
    return { result: true, after: answeredAt => publishing.announce(published, answeredAt) }
  }

  const publish: Method = async (peer, params, prefix) => {
    const message = parseParams(params, relaySchemas(prefix).publish)
    return publishAll(peer, [postingOf(message, 'params', prefix)])
  }

  /** Publishes all messages or, if one is refused, none. */
  const batchPublish: Method = async (peer, params, prefix) => {
    const { messages } = parseParams(params, relaySchemas(prefix).batchPublish)
    return publishAll(
      peer,
      messages.map((message, index) => postingOf(message, `params.messages[${index}]`, prefix)),
    )
  }

  return { publish, batchPublish }
}
