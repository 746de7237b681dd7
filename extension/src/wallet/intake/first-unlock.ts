/**
 * Handles the time between the start of the browser and the first unlock, while settings are not verified yet: defers
 * requests of sites, and sends events once the settings are known.
 */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { TrustedStore } from '../keys/trusted-store.ts'
import type { Networks } from '../networks/networks.ts'
import type { Draft, WalletRequest } from '../requests/requests.ts'
import type { SiteChoice, SiteChoices } from '../sites/site-choices.ts'
import type { SiteEvent } from '../sites/sites.ts'

/** A request that arrived before the settings were verified. It is reviewed after the unlock. */
export type Deferred = { params?: unknown; chainId?: number }

/** A draft that only asks for the password. `chainId` is set if the request names one. */
export const deferredDraft = (params: unknown, chainId: number | undefined): Draft => ({
  account: null,
  payload: { deferred: { params, ...(chainId !== undefined && { chainId }) } satisfies Deferred },
  effect: { kind: 'unlock' },
  findings: [],
})

/** The deferred request, or undefined for any other request. */
export const deferredOf = ({ effect, payload }: WalletRequest): Deferred | undefined =>
  effect.kind === 'unlock' && typeof payload === 'object' && payload !== null && 'deferred' in payload
    ? (payload.deferred as Deferred)
    : undefined

export type OpeningParts = {
  isVerified: TrustedStore['isVerified']
  networks: Pick<Networks, 'selected' | 'sitesApart' | 'of'>
  choices: Pick<SiteChoices, 'list'>
  announce(event: SiteEvent): void
  onChoices(choices: readonly SiteChoice[]): Promise<void>
  /** Resets the auto-lock timer. */
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
