/**
 * Rules of schemas, with reasons. valibot stores only a text with each check of a schema. This text therefore serves as
 * a key to the rule's reason and values.
 */
import type { Values, ValuesIn } from '../reasons.ts'
import type { ruleReasons } from './reasons.ts'

type Rules = typeof ruleReasons

/** A broken rule: a reason and its values, without the place. */
export type Rule = { reason: keyof Rules; values: Values }

const rules = new Map<string, Rule>()

/** Returns the message for a schema's check: `v.regex(HEX, rule('notHexDigits', { digits: 64 }))`. */
export const rule = <R extends keyof Rules>(reason: R, values: Omit<ValuesIn<Rules[R]>, 'place'>): string => {
  const key = JSON.stringify([reason, values])
  rules.set(key, { reason, values: values as Values })
  return key
}

/** Returns the rule of a message that `rule` made, or undefined for any other message. */
export const ruleOf = (message: string): Rule | undefined => rules.get(message)
