/** Counts the addresses that the wallet's transactions on a network have paid, called or allowed to spend. */
import type { Act } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import { readCall } from './call.ts'
import type { Known } from './known.ts'

/** False for a revocation. */
const mayTake = (act: Act): act is Act & { kind: 'allow' | 'allowAll' } =>
  (act.kind === 'allow' && act.amount !== '0') || (act.kind === 'allowAll' && act.allowed)

const namedBy = ({ account, to, data }: Activity): string[] => {
  if (to === null) return []
  const { acts } = readCall({ from: account, to, data })
  const named = acts.flatMap(act => {
    if (act.kind === 'transfer') return act.amount === '0' ? [] : [act.to]
    return mayTake(act) ? [act.spender] : []
  })
  return [...new Set([to, ...named].map(address => address.toLowerCase()))]
}

/** True for confirmed transactions, except those that speed up or cancel another. */
const counts = ({ status, purpose }: Activity) => purpose === 'transaction' && status === 'confirmed'

export const usedAddresses = (activity: readonly Activity[], chainId: number): NonNullable<Known['used']> => {
  const times = new Map<string, number>()
  for (const record of activity.filter(record => record.chainId === chainId && counts(record)))
    for (const address of namedBy(record)) times.set(address, (times.get(address) ?? 0) + 1)
  return [...times].map(([address, count]) => ({ address, times: count }))
}
