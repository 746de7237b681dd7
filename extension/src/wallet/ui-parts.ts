/** What the handlers of the wallet's own pages work with. */
import type { UiMethod, UiMethods } from '../messages.ts'
import type { Approvals } from './approvals.ts'
import type { Chain } from './chain.ts'
import type { ScryptCost } from './keystore.ts'
import type { WordLists } from './phrase.ts'
import type { SiteEvent } from './sites.ts'
import type { UiStateParts } from './ui-state.ts'

export type Ui = { [M in UiMethod]: (params: UiMethods[M][0]) => Promise<UiMethods[M][1]> }

export type UiParts = UiStateParts & {
  approvals: Approvals
  /** Brings the open requests in front of the person. */
  show(): Promise<void>
  chain: Chain
  wordLists: WordLists
  /** What a keystore of ours costs to open. */
  keystoreCost: ScryptCost
  now(): number
  announce(event: SiteEvent): void
  /** Pushes the state to every open page of the wallet. */
  publish(): Promise<void>
}
