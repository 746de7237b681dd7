/**
 * Tells the user outside the wallet's pages that a transaction has its outcome, or that a request waits unseen. Off
 * until the user switches it on. A notice has no amount, no name that a token or a peer chose, and no secret.
 */
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Activity } from '../activity/activity.ts'
import type { Networks } from '../networks/networks.ts'
import type { Requester } from '../sites/sites.ts'
import type { Cell } from '../storage/store.ts'
import { report } from '../text/errors.ts'

/** `network` is a network's title, which a site may have chosen. `site` is an origin, or null for a remote peer. */
export type Notice =
  | { kind: 'confirmed' | 'failed'; hash: Hex; account: string; network: string }
  | { kind: 'waiting'; site: string | null }

/** Shows a notice. Does nothing if the browser does not allow it. */
export type ShowNotice = (notice: Notice) => Promise<void>

export type Notices = {
  /** Called when the outcome of a transaction was recorded. Never rejects. */
  settled(record: Pick<Activity, 'hash' | 'account' | 'chainId'>, hasFailed: boolean): Promise<void>
  /** Called when a request waits, but no window was brought to the front for it. Never rejects. */
  unseen(request: { requester: Pick<Requester, 'kind'>; origin: string }): Promise<void>
}

export type NoticesParts = {
  isOn: Cell<boolean>
  networks: Pick<Networks, 'get'>
  showNotice: ShowNotice
}

export const createNotices = ({ isOn, networks, showNotice }: NoticesParts): Notices => {
  const tell = async (make: () => Promise<Notice>) => {
    try {
      if (await isOn.read()) await showNotice(await make())
    } catch (error) {
      report(error)
    }
  }
  return {
    settled: ({ hash, account, chainId }, hasFailed) =>
      tell(async () => {
        const { title } = await networks.get(chainId)
        return { kind: hasFailed ? 'failed' : 'confirmed', hash, account, network: title }
      }),
    unseen: ({ requester, origin }) =>
      tell(async () => ({ kind: 'waiting', site: requester.kind === 'site' ? origin : null })),
  }
}
