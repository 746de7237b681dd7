/**
 * The first line of messages and typed data that move nothing or cannot be read, and of requests that cannot be paid.
 * It can contain text of the site: render it with Text.svelte.
 */
import type { RequestView } from '../../messages.ts'
import { formatExact } from './numbers.ts'
import { type Asked, isIdentified, partyName, partyOf } from './parties.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

type EffectOf<Kind> = Extract<RequestView['effect'], { kind: Kind }>
type TypedEffect = EffectOf<'typedData'>
type MessageEffect = EffectOf<'message'>

const fieldOf = ({ message }: TypedEffect, name: string): string => {
  const field = typeof message.value === 'string' ? undefined : message.value.find(one => one.name === name)
  return typeof field?.value === 'string' ? cutName(field.value) : ''
}

/**
 * Returns a sentence for data that no contract reads, or that the wallet cannot read. It names the data's type and
 * domain.
 */
const typedSentence = (effect: TypedEffect, asked: Asked): string | undefined => {
  const { form, primaryType, domain, acts } = effect
  const named = domain.find(({ name }) => name === 'name')?.value
  const claimed = typeof named === 'string' ? text('quoted', cutName(named)) : text('says_noName')
  const contract = effect.contract ?? ''
  const site = isIdentified(partyOf(asked, contract)) ? partyName(asked, contract, 'contract') : claimed
  const type = text('quoted', cutName(primaryType ?? ''))
  const [gain] = acts.flatMap(act => (act.kind === 'gain' ? [act.to] : []))
  if (form === 'withdrawal' && gain !== undefined)
    return text('says_withdraw', fieldOf(effect, 'amount'), site, partyName(asked, gain, 'recipient'))
  if (form === 'calm' && primaryType === 'Vote') return text('says_vote', fieldOf(effect, 'space'))
  if (form === 'calm') return text('says_calm', type, site)
  if (form !== null || primaryType === null) return undefined
  const { role, name } = partyOf(asked, contract)
  return role === 'marketplace' ? text('says_unreadableOrders', name ?? '') : text('says_unreadable', type, site)
}

const HASH = /^\s*(?:0x)?[\da-f]{64}\s*$/i

const messageSentence = ({ signIn, text: message }: MessageEffect, { findings = [] }: Asked): string | undefined => {
  if (message === null) return text('says_bytes')
  if (signIn !== null) return undefined
  if (HASH.test(message)) return text('says_hash')
  return findings.some(({ name }) => name === 'hiddenCharacters') ? text('says_hidden') : undefined
}

/** Returns a sentence about a request that moves nothing or that cannot be paid. */
export const signatureSummary = (asked: Asked): string | undefined => {
  const { effect, findings = [], network } = asked
  if (effect.kind === 'message') return messageSentence(effect, asked)
  if (effect.kind === 'typedData') return typedSentence(effect, asked)
  const poor = findings.find(({ name }) => name === 'insufficientFunds')
  if (poor) {
    const [needed = '', held = ''] = poor.values.map(wei => formatExact(BigInt(wei), network.decimals))
    return text('says_tooPoor', needed, held, network.symbol)
  }
  const namesake = findings.find(({ name }) => name === 'namesakeNetwork')
  return namesake && text('says_namesakeNetwork', cutName(namesake.values[0] ?? ''))
}
