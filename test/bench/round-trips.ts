/**
 * Measures round trips from a site's page to the wallet and, in turns, to an extension that only echoes messages. Times
 * are in ms.
 */
import type { Page } from 'playwright-core'

/** Median times of the wallet and of the bare extension. */
export type Pair = { wallet: number; bare: number }

export type Extension = keyof Pair

/** Times of the single measurements. */
export type Taken = Record<Extension, number[]>

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

export const mediansOf = ({ wallet, bare }: Taken): Pair => ({ wallet: median(wallet), bare: median(bare) })

/** The page of the site. */
export const PAGE = `<script>
  const echo = () =>
    new Promise(resolve => {
      const id = Math.random()
      const hear = ({ data }) => {
        if (data?.source !== 'bare:answer' || data.message.id !== id) return
        removeEventListener('message', hear)
        resolve()
      }
      addEventListener('message', hear)
      postMessage({ source: 'bare:page', message: { id, method: 'eth_chainId' } }, '*')
    })
  const ask = { wallet: () => ethereum.request({ method: 'eth_chainId' }), bare: echo }
  const timeInTurns = async (kinds, times) => {
    const taken = { wallet: [], bare: [] }
    for (let at = 0; at < times; at++)
      for (const kind of kinds) {
        const began = performance.now()
        await ask[kind]()
        taken[kind].push(performance.now() - began)
      }
    return taken
  }
</script>`

/** Measures this many requests of each kind, in turns, in a page with the script of `PAGE`. */
export const timeInTurns = (page: Page, kinds: readonly Extension[], times: number): Promise<Taken> =>
  page.evaluate(`timeInTurns(${JSON.stringify(kinds)}, ${times})`)

export const both: readonly Extension[] = ['wallet', 'bare']
const WARM_UP = 50

/** Returns the medians after a warm-up. */
export const measureRoundTrips = async (page: Page, times: number): Promise<Pair> => {
  await timeInTurns(page, both, WARM_UP)
  return mediansOf(await timeInTurns(page, both, times))
}
