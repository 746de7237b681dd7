/** The bundled marks of networks, read from a file of the extension when the first network is shown. */
import type { NetworkView } from '../../messages.ts'

/** `fill` and `line` are SVG path data on a 16 × 16 grid; `hue` is in degrees (OKLCH). */
export type NetworkMark = { hue: number; fill?: string; line?: string }

type Row = NetworkMark & { chainIds: readonly number[] }

let marks = $state.raw<ReadonlyMap<number, NetworkMark> | null>(null)
let isLoading = false

const load = async () => {
  try {
    const rows: readonly Row[] = await (await fetch('/network-marks.json')).json()
    marks = new Map(rows.flatMap(({ chainIds, ...mark }) => chainIds.map(chainId => [chainId, mark] as const)))
  } catch {
    // Without the file, networks keep their letters.
    marks = new Map()
  }
}

/**
 * Returns the network's mark; null if it has none, undefined until the marks are read. A network that a site or the user
 * described has none, even with the chain id of a known network, because its name and its node may be anything.
 */
export const markOf = ({
  chainId,
  listed,
}: Pick<NetworkView, 'chainId' | 'listed'>): NetworkMark | null | undefined => {
  if (!listed) return null
  if (!isLoading) {
    isLoading = true
    void load()
  }
  return marks === null ? undefined : (marks.get(chainId) ?? null)
}
