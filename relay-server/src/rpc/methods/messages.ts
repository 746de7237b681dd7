/** `publish` and `batchPublish`. */
import { parseParams } from '@heliograph/shared/wire/params'
import { type RelayPrefix, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Method, Parts } from '../method.ts'
import { checkMessageSize, checkTtl, publishAll, toPosting } from '../publishing.ts'

export const messageMethods = (parts: Parts) => {
  const { limits } = parts

  const postingOf = (message: Parameters<typeof toPosting>[0], place: string, prefix: RelayPrefix) => {
    checkTtl(message.ttl, `${place}.ttl`, prefix, limits)
    const posting = toPosting(message, limits)
    checkMessageSize(posting.bytes, `${place}.message`, limits)
    return posting
  }

  const publish: Method = async (peer, params, prefix) => {
    const message = parseParams(relaySchemas(prefix).publish, params)
    return { result: true, after: await publishAll(parts, peer, [postingOf(message, 'params', prefix)]) }
  }

  /** Publishes all messages or, if one is refused, none. */
  const batchPublish: Method = async (peer, params, prefix) => {
    const { messages } = parseParams(relaySchemas(prefix).batchPublish, params)
    const postings = messages.map((message, index) => postingOf(message, `params.messages[${index}]`, prefix))
    return { result: true, after: await publishAll(parts, peer, postings) }
  }

  return { publish, batchPublish }
}
