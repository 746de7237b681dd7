/**
 * The time between the start of the browser and the first unlock, when the wallet's settings are not known yet: what a
 * site asks meanwhile, and what it is told once they are.
 */
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { TrustedStore } from './keys/trusted-store.ts'
import type { Networks } from './networks.ts'
import type { Draft, WalletRequest } from './requests.ts'
import type { SiteChoice, SiteChoices } from './site-choices.ts'
import type { SiteEvent } from './sites.ts'

type IsOpen = TrustedStore['isOpen']

/** A request that came before the settings were known. It is reviewed once the wallet is unlocked. */
export type Deferred = { params?: unknown; chainId?: number }

/** Asks for the password alone. `chainId` is that of the request itself, where it names one. */
export const deferredDraft = (params: unknown, chainId: number | undefined): Draft => ({
  account: null,
  payload: { deferred: { params, ...(chainId !== undefined && { chainId }) } satisfies Deferred },
  effect: { kind: 'unlock' },
  findings: [],
})

/** What a deferred request asks for; undefined for any other request. */
export const deferredOf = ({ effect, payload }: WalletRequest): Deferred | undefined =>
  effect.kind === 'unlock' && typeof payload === 'object' && payload !== null && 'deferred' in payload
    ? (payload.deferred as Deferred)
    : undefined

export type OpeningParts = {
  isOpen: IsOpen
  networks: Pick<Networks, 'selected' | 'sitesApart' | 'of'>
  choices: Pick<SiteChoices, 'list'>
  announce(event: SiteEvent): void
  onChoices(choices: readonly SiteChoice[]): void
  /** The time until the wallet locks itself begins anew. */
  used(): Promise<void>
}

/** Runs what unlocks the wallet. Where that makes the settings known, brings everything up to them. */
export type Opening = (unlock: () => Promise<void>) => Promise<void>

export const createOpening =
  ({ isOpen, networks, choices, announce, onChoices, used }: OpeningParts): Opening =>
  async unlock => {
    if (await isOpen()) return unlock()
    const { chainId: before } = await networks.selected()
    await unlock()
    await used()
    onChoices(await choices.list())
    const { chainId } = await networks.selected()
    const apart = await networks.sitesApart()
    if (chainId !== before) announce({ event: 'chainChanged', except: apart, data: fromQuantity(chainId) })
    for (const origin of apart) {
      const own = await networks.of(origin)
      if (own.chainId !== before) announce({ event: 'chainChanged', origin, data: fromQuantity(own.chainId) })
    }
  }
