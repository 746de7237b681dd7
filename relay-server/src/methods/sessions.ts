/**
 * `wc_proposeSession` and `wc_approveSession`: what clients of today say in one call where older ones subscribed and
 * published. Both subscribe the caller, which relies on it. A call that is repeated, because its answer was lost, changes
 * nothing: a subscription is made once, and a message that still waits is the same message.
 */
import { parseParams } from '@heliograph/shared/wire/params'
import { sessionSchemas, tags } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery.ts'
import type { Outcome, Parts } from '../method.ts'
import { publishAll, refuseLong } from '../publishing.ts'

/** The prefix under which these clients are pushed to. */
const PREFIX = 'irn'

export const sessionMethods = (parts: Parts) => {
  const { hub, limits } = parts

  const proposeSession = async (peer: Peer, params: unknown): Promise<Outcome> => {
    const { pairingTopic, sessionProposal, ttl, attestation } = parseParams(sessionSchemas.wc_proposeSession, params)
    refuseLong(sessionProposal, 'params.sessionProposal', limits)
    const { open } = await hub.subscribe(peer, pairingTopic, PREFIX)
    const announce = await publishAll(parts, peer, [
      { topic: pairingTopic, message: sessionProposal, ttl, tag: tags.proposal, prompt: true, attestation },
    ])
    return {
      result: true,
      after: () => {
        announce()
        open()
      },
    }
  }

  /** Response and settlement are stored together: no crash leaves the peer with a response that nothing follows. */
  const approveSession = async (peer: Peer, params: unknown): Promise<Outcome> => {
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest, ttl } = parseParams(
      sessionSchemas.wc_approveSession,
      params,
    )
    refuseLong(sessionProposalResponse, 'params.sessionProposalResponse', limits)
    refuseLong(sessionSettlementRequest, 'params.sessionSettlementRequest', limits)
    const { open } = await hub.subscribe(peer, sessionTopic, PREFIX)
    const silent = { ttl, prompt: false, attestation: '' }
    const announce = await publishAll(parts, peer, [
      { topic: pairingTopic, message: sessionProposalResponse, tag: tags.proposalResponse, ...silent },
      { topic: sessionTopic, message: sessionSettlementRequest, tag: tags.settlement, ...silent },
    ])
    return {
      result: true,
      after: () => {
        announce()
        open()
      },
    }
  }

  return { proposeSession, approveSession }
}
