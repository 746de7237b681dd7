/**
 * `wc_proposeSession` and `wc_approveSession`. Both subscribe the caller and publish, for which older clients made two
 * calls. They are idempotent, so that a client can retry after a lost response: subscribing twice has no effect, and a
 * message that is still stored is not stored again.
 */
import { parseParams } from '@heliograph/shared/wire/params'
import { sessionSchemas, sessionTags } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../../delivery/delivery.ts'
import type { Outcome, Parts } from '../method.ts'
import { type Posting, type Publishing, toPosting } from './publishing.ts'

/** Prefix of pushes to these clients. */
const PREFIX = 'irn'

export const sessionMethods = ({ hub, limits }: Parts, publishing: Publishing) => {
  /**
   * Subscribes the caller, then publishes all messages in one commit, so that a crash cannot leave only the first. If
   * publishing fails, the caller stays subscribed and gets its backlog, because the topic may be full of just this
   * backlog.
   */
  const enter = async (peer: Peer, topic: string, postings: readonly Posting[]): Promise<Outcome> => {
    const { open } = await hub.subscribe(peer, topic, PREFIX)
    try {
      const published = publishing.accept(peer, postings)
      await published.commit.durable
      return {
        result: true,
        after: answeredAt => {
          publishing.announce(published, answeredAt)
          open()
        },
      }
    } catch (refusal) {
      open()
      throw refusal
    }
  }

  const proposeSession = async (peer: Peer, params: unknown): Promise<Outcome> => {
    const { pairingTopic, sessionProposal, ttl, attestation } = parseParams(params, sessionSchemas.wc_proposeSession)
    const tag = sessionTags.proposal
    const message = { topic: pairingTopic, message: sessionProposal, ttl, tag, prompt: true, attestation }
    return enter(peer, pairingTopic, [toPosting(message, 'params.sessionProposal', limits)])
  }

  const approveSession = async (peer: Peer, params: unknown): Promise<Outcome> => {
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest, ttl } = parseParams(
      params,
      sessionSchemas.wc_approveSession,
    )
    const silent = { ttl, prompt: false, attestation: '' }
    const response = toPosting(
      { topic: pairingTopic, message: sessionProposalResponse, tag: sessionTags.proposalResponse, ...silent },
      'params.sessionProposalResponse',
      limits,
    )
    const settlement = toPosting(
      { topic: sessionTopic, message: sessionSettlementRequest, tag: sessionTags.settlement, ...silent },
      'params.sessionSettlementRequest',
      limits,
    )
    return enter(peer, sessionTopic, [response, settlement])
  }

  return { proposeSession, approveSession }
}
