/** The first unlock after the browser's start verifies the settings, and updates everything that depends on them. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { TrustedStore } from '../keys/trusted-store.ts'
import type { Networks } from '../networks/networks.ts'
import type { SiteChoice, SiteChoices, SiteEvent } from '../sites/sites.ts'

export type OpeningParts = {
  isVerified: TrustedStore['isVerified']
  networks: Pick<Networks, 'selected' | 'sitesApart' | 'of'>
  choices: Pick<SiteChoices, 'list'>
  announce(event: SiteEvent): void
  onChoices(choices: readonly SiteChoice[]): Promise<void>
  /** Restarts the auto-lock timer. */
  used(): Promise<void>
}

/** Runs an unlock. If that verifies the settings, updates everything that depends on them. */
export type Opening = (unlock: () => Promise<void>) => Promise<void>

export const createOpening =
  ({ isVerified, networks, choices, announce, onChoices, used }: OpeningParts): Opening =>
  async unlock => {
    if (await isVerified()) return unlock()
    const { chainId: before } = await networks.selected()
    await unlock()
    await used()
    await onChoices(await choices.list())
    const { chainId } = await networks.selected()
    const apart = await networks.sitesApart()
    if (chainId !== before) announce({ event: 'chainChanged', except: apart, data: encodeQuantity(chainId) })
    for (const origin of apart) {
      const own = await networks.of(origin)
      if (own.chainId !== before) announce({ event: 'chainChanged', origin, data: encodeQuantity(own.chainId) })
    }
  }
