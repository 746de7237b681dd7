/** `publish` and `batchPublish`. */
import { parseParams } from '@heliograph/shared/wire/params'
import { type Publish, type RelayPrefix, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Method, Parts } from '../method.ts'
import { publishAll, refuseLate, refuseLong } from '../publishing.ts'

export const messageMethods = (parts: Parts) => {
  const { limits } = parts

  const refuse = ({ message, ttl }: Publish, place: string, prefix: RelayPrefix): void => {
    refuseLong(message, `${place}.message`, limits)
    refuseLate(ttl, `${place}.ttl`, prefix, limits)
  }

  const publish: Method = async (peer, params, prefix) => {
    const message = parseParams(relaySchemas(prefix).publish, params)
    refuse(message, 'params', prefix)
    return { result: true, after: await publishAll(parts, peer, [message]) }
  }

  /** All of them or, when one is refused, none. */
  const batchPublish: Method = async (peer, params, prefix) => {
    const { messages } = parseParams(relaySchemas(prefix).batchPublish, params)
    for (const [index, message] of messages.entries()) refuse(message, `params.messages[${index}]`, prefix)
    return { result: true, after: await publishAll(parts, peer, messages) }
  }

  return { publish, batchPublish }
}
