/** The ENS name that an address of a request has chosen. */
import type { UiMethods } from '../../messages.ts'
import { useNameOf, useNames } from './names.ts'

type Primary = UiMethods['nameOf'][1]

/**
 * Only requests on Ethereum show these names: on other networks, the Ethereum node would learn addresses that it does not
 * get anyway.
 */
const ETHEREUM = 1

/**
 * The name, once it is found; null before, for an address that the person has named, and without a name. Call it during
 * component initialisation.
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
