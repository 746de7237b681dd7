/** The primary ENS name of an address in a request. */
import type { UiMethods } from '../../messages.ts'
import { useNameOf, useNames } from './names.ts'

type Primary = UiMethods['nameOf'][1]

/**
 * Chain id of the only network whose requests show these names. On other networks, the Ethereum node would learn
 * addresses that it does not get otherwise.
 */
const ETHEREUM = 1

/**
 * Returns the name once it is found; null before that, for an address that the user has named, and without a name. Call
 * it during component initialisation.
 */
export const primaryName = (address: () => string, chainId: () => number): { readonly value: Primary } => {
  const names = useNames()
  const nameOf = useNameOf()
  let found = $state.raw<{ address: string; primary: Primary }>()
  const wanted = $derived(chainId() === ETHEREUM && !names(address()) ? address() : null)

  $effect(() => {
    const asked = wanted
    if (asked === null) return
    nameOf(asked).then(
      primary => {
        found = { address: asked, primary }
      },
      () => {},
    )
  })

  return {
    get value() {
      return found && found.address === wanted ? found.primary : null
    },
  }
}
