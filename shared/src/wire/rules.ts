/**
 * Rules of schemas by reason. valibot keeps only a text with a schema, so a rule's text is the key under which its reason
 * and values are found again.
 */
import type { Values, ValuesIn } from '../reasons.ts'
import type { ruleReasons } from './reasons.ts'

type Rules = typeof ruleReasons

/** A broken rule: a reason and its values, without the place. */
export type Rule = { reason: keyof Rules; values: Values }

const rules = new Map<string, Rule>()

/** The message for a schema's check: `v.regex(HEX, rule('notHexDigits', { digits: 64 }))`. */
export const rule = <R extends keyof Rules>(reason: R, values: Omit<ValuesIn<Rules[R]>, 'place'>): string => {
  const key = JSON.stringify([reason, values])
  rules.set(key, { reason, values: values as Values })
  return key
}

/** The rule of a schema's message. Undefined for a message that is a text. */
export const ruleOf = (message: string): Rule | undefined => rules.get(message)
