/** `publish` and `batchPublish`. */
import { parseParams } from '@heliograph/shared/wire/params'
import { type RelayPrefix, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery.ts'
import type { Method, Outcome, Parts } from '../method.ts'
import { type Posting, type Published, publishAll, refuseLate, refuseLong, toPosting } from '../publishing.ts'

/** Publishes what a reader of frames has decoded. Throws RpcError. */
export type Publish = (peer: Peer, posting: Posting, prefix: RelayPrefix) => Published

const answered = async ({ safe, announce }: Published): Promise<Outcome> => {
  await safe
  return { result: true, after: announce }
}

export const messageMethods = (parts: Parts) => {
  const { limits } = parts

  const refuse = ({ bytes, ttl }: Posting, place: string, prefix: RelayPrefix): void => {
    refuseLong(bytes, `${place}.message`, limits)
    refuseLate(ttl, `${place}.ttl`, prefix, limits)
  }

  const publishOne: Publish = (peer, posting, prefix) => {
    refuse(posting, 'params', prefix)
    return publishAll(parts, peer, [posting])
  }

  const publish: Method = async (peer, params, prefix) =>
    answered(publishOne(peer, toPosting(parseParams(relaySchemas(prefix).publish, params)), prefix))

  /** All of them or, when one is refused, none. */
  const batchPublish: Method = async (peer, params, prefix) => {
    const { messages } = parseParams(relaySchemas(prefix).batchPublish, params)
    const postings = messages.map(toPosting)
    for (const [index, posting] of postings.entries()) refuse(posting, `params.messages[${index}]`, prefix)
    return answered(publishAll(parts, peer, postings))
  }

  return { publishOne, publish, batchPublish }
}
