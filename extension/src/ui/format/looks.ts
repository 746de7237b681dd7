/** Texts about what the wallet found by itself. */
import type { LookView } from '../../messages.ts'
import { formatCount } from './numbers.ts'
import { plural, text } from './text.ts'

/** Returns what a look found, or that it is running. Empty if it found nothing out. */
export const lookSummary = ({ status, at, tokens, collectibles }: LookView): string => {
  if (status === 'running' || at === null) return text('lookingForHoldings')
  const counts = [
    ...(tokens > 0 ? [plural('tokensCount', tokens)] : []),
    ...(collectibles > 0 ? [plural('collectiblesCount', collectibles)] : []),
  ]
  const [first, second] = counts
  if (first !== undefined && second !== undefined) return text('foundBoth', first, second)
  if (first !== undefined) return text('foundOnly', first)
  return status === 'failed' ? '' : text('nothingFound')
}

/** Returns why something may be missing. */
export const lookTroubles = ({ status, limits, search }: LookView): string[] => {
  if (status === 'failed') return [text('lookFailed')]
  return limits.flatMap(limit => {
    if (limit !== 'olderBlocks') return [text(`lookLimit_${limit}`)]
    return search === null ? [] : [text('lookLimit_olderBlocks', formatCount(search.from))]
  })
}
