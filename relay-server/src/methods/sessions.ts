/**
 * `wc_proposeSession` and `wc_approveSession`: what clients of today say in one call where older ones subscribed and
 * published. Both subscribe the caller, which relies on it. A call that is repeated, because its answer was lost, changes
 * nothing: a subscription is made once, and a message that still waits is the same message.
 */
import { parseParams } from '@heliograph/shared/wire/params'
import { sessionSchemas, tags } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery.ts'
import type { Outcome, Parts } from '../method.ts'
import { type Posting, publishAll, refuseLong, toPosting } from '../publishing.ts'

/** The prefix under which these clients are pushed to. */
const PREFIX = 'irn'

export const sessionMethods = (parts: Parts) => {
  const { hub, limits } = parts

  /**
   * Subscribes the caller, then publishes; all messages are stored together, so that no crash leaves the first alone. Who
   * is refused is subscribed all the same, and gets what waits: it may be that which takes up the room.
   */
  const enter = async (peer: Peer, topic: string, postings: readonly Posting[]): Promise<Outcome> => {
    const { open } = await hub.subscribe(peer, topic, PREFIX)
    try {
      const announce = await publishAll(parts, peer, postings)
      return {
        result: true,
        after: () => {
          announce()
          open()
        },
      }
    } catch (refusal) {
      open()
      throw refusal
    }
  }

  const proposeSession = async (peer: Peer, params: unknown): Promise<Outcome> => {
    const { pairingTopic, sessionProposal, ttl, attestation } = parseParams(sessionSchemas.wc_proposeSession, params)
    const tag = tags.proposal
    const message = { topic: pairingTopic, message: sessionProposal, ttl, tag, prompt: true, attestation }
    const proposal = toPosting(message, limits)
    refuseLong(proposal.bytes, 'params.sessionProposal', limits)
    return enter(peer, pairingTopic, [proposal])
  }

  const approveSession = async (peer: Peer, params: unknown): Promise<Outcome> => {
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest, ttl } = parseParams(
      sessionSchemas.wc_approveSession,
      params,
    )
    const silent = { ttl, prompt: false, attestation: '' }
    const response = toPosting(
      { topic: pairingTopic, message: sessionProposalResponse, tag: tags.proposalResponse, ...silent },
      limits,
    )
    const settlement = toPosting(
      { topic: sessionTopic, message: sessionSettlementRequest, tag: tags.settlement, ...silent },
      limits,
    )
    refuseLong(response.bytes, 'params.sessionProposalResponse', limits)
    refuseLong(settlement.bytes, 'params.sessionSettlementRequest', limits)
    return enter(peer, sessionTopic, [response, settlement])
  }

  return { proposeSession, approveSession }
}
