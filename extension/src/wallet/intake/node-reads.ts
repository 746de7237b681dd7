/**
 * Forwards reads of sites to a network's node. They come from the wallet and so bypass the browser's restrictions between
 * a site and that node. Only connected sites may read from a node in a private network, and other sites have a
 * rate limit.
 */
import type { Network } from '@heliograph/shared/network'
import { isPrivateNode } from '../networks/node-host.ts'
import type { ReadRate } from '../networks/read-rate.ts'
import { createSiteQueues } from '../requests/site-queues.ts'
import type { Grants, Requester } from '../sites/requester.ts'
import type { SiteChoices } from '../sites/site-choices.ts'
import { rpcError } from '../text/errors.ts'

/** Maximum queued reads per site: half a minute at the sustained rate. */
export const MAX_QUEUED_READS = 300

export type NodeReads = {
  /** True if the site may read from the network's node. */
  mayRead(requester: Requester, network: Network): Promise<boolean>
  /**
   * Reads when the rate limit allows it, after `assertWanted`, whose errors it throws. Throws 4100 if the site may not read
   * from the node, -32005 if too many are queued.
   */
  read<T>(requester: Requester, network: Network, assertWanted: () => void, task: () => Promise<T>): Promise<T>
}

export type NodeReadsParts = {
  grants: Pick<Grants, 'siteOf'>
  choices: Pick<SiteChoices, 'list'>
  rate: ReadRate
}

export const createNodeReads = ({ grants, choices, rate }: NodeReadsParts): NodeReads => {
  const inQueue = createSiteQueues(MAX_QUEUED_READS)

  const isAllowed = async (origin: string) =>
    (await choices.list()).some(choice => choice.origin === origin && choice.readsLocalNode)

  const mayRead: NodeReads['mayRead'] = async (requester, { rpcUrls }) =>
    !rpcUrls.some(isPrivateNode) ||
    (await grants.siteOf(requester)) !== undefined ||
    (await isAllowed(requester.origin))

  return {
    mayRead,
    read: (requester, network, assertWanted, task) =>
      inQueue(requester.origin, async () => {
        if (!(await mayRead(requester, network)))
          throw rpcError('unauthorized', 'nodeIsPrivate', { network: network.title })
        assertWanted()
        if (!(await grants.siteOf(requester))) await rate(requester.origin)
        return task()
      }),
  }
}
