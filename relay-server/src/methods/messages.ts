/** `publish` and `batchPublish`. */
import { parseParams } from '@heliograph/shared/wire/params'
import { type RelayPrefix, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery.ts'
import type { Message } from '../mailbox.ts'
import type { Method, Parts } from '../method.ts'
import { type Posting, publishAll, refuseLate, refuseLong, toPosting } from '../publishing.ts'

/** Publishes what a reader of frames has decoded. Resolves with what is to be announced. Throws RpcError. */
export type Publish = (peer: Peer, posting: Posting, prefix: RelayPrefix) => Promise<readonly Message[]>

export const messageMethods = (parts: Parts) => {
  const { mailbox, limits } = parts

  const refuse = ({ bytes, ttl }: Posting, place: string, prefix: RelayPrefix): void => {
    refuseLong(bytes, `${place}.message`, limits)
    refuseLate(ttl, `${place}.ttl`, prefix, limits)
  }

  const announceAll = (messages: readonly Message[]) => () => {
    for (const message of messages) mailbox.announce(message)
  }

  const publishOne: Publish = (peer, posting, prefix) => {
    refuse(posting, 'params', prefix)
    return publishAll(parts, peer, [posting])
  }

  const publish: Method = async (peer, params, prefix) => {
    const posting = toPosting(parseParams(relaySchemas(prefix).publish, params))
    return { result: true, after: announceAll(await publishOne(peer, posting, prefix)) }
  }

  /** All of them or, when one is refused, none. */
  const batchPublish: Method = async (peer, params, prefix) => {
    const { messages } = parseParams(relaySchemas(prefix).batchPublish, params)
    const postings = messages.map(toPosting)
    for (const [index, posting] of postings.entries()) refuse(posting, `params.messages[${index}]`, prefix)
    return { result: true, after: announceAll(await publishAll(parts, peer, postings)) }
  }

  return { publishOne, publish, batchPublish }
}
