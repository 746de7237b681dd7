/** Findings in the words of the person's language. */
import type { Finding, FindingName, NetworkView } from '../messages.ts'
import { formatCount, formatFee } from './numbers.ts'
import { type TextKey, text } from './text.ts'

/** A finding as it is drawn. `loss` is what the second act names: only dangers have one. */
export type Warning = { level: Finding['level']; title: string; text: string; loss: string }

const losses: Partial<Record<FindingName, TextKey>> = {
  approvalForAll: 'loss_approvalForAll',
  unlimitedAllowance: 'loss_unlimitedAllowance',
}

/** What is filled in, as a person reads it. Reasons from outside stay as they are. */
const valuesOf = ({ name, values }: Finding, { decimals, symbol }: NetworkView): string[] => {
  if (name === 'insufficientFunds') return [...values.map(wei => formatFee(BigInt(wei), decimals)), symbol]
  if (name === 'createsContract' || name === 'notText') return values.map(count => formatCount(Number(count)))
  return [...values]
}

export const inWords = (finding: Finding, network: NetworkView): Warning => {
  const { level, name } = finding
  const values = valuesOf(finding, network)
  const loss = losses[name]
  return {
    level,
    title: text(`finding_${name}`, ...values),
    text: text(`finding_${name}_text`, ...values),
    loss: loss === undefined ? '' : text(loss),
  }
}
