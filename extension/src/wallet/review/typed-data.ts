/** Reviews typed data. Data of an unknown form is shown in full, with a caution. */
import { describeTypedData, type TypedData } from '@heliograph/shared/evm/typed-data'
import { describeTypedValues, type TypedValue } from '@heliograph/shared/evm/typed-data-v1'
import type { Finding, FindingName, SignedForm, TokenView } from '../../messages.ts'
import { hasHiddenCharacters } from '../text/text.ts'
import { findingsOfActs } from './act-findings.ts'
import { paymentsIn } from './call.ts'
import { reviewAuthorizations } from './carried-calls.ts'
import { once } from './findings.ts'
import { readForm } from './forms.ts'
import type { Review } from './message.ts'

/** Primary types whose signature lets others take tokens without a transaction of the signer. */
const MOVES_TOKENS =
  /^Permit|^(?:Order|OrderComponents|BulkOrder|MetaTransaction|TransferWithAuthorization|ReceiveWithAuthorization)$/

/** Forms whose signature lets others make calls. */
const CARRIES_CALLS: readonly SignedForm[] = ['safeTransaction', 'userOperation', 'forwardRequest']

const caution = (name: FindingName): Finding => ({ level: 'caution', name, values: [] })

const hiddenIn = (json: string): Finding[] => (hasHiddenCharacters(json) ? [caution('hiddenCharacters')] : [])

/** Version 1, a plain list of values, which is bound to no site, contract or chain. */
export const reviewTypedValues = (values: readonly TypedValue[]): Review => {
  const json = JSON.stringify(values, null, 2)
  const message = { name: '', type: '', value: describeTypedValues(values) }
  return {
    effect: { kind: 'typedData', domain: [], primaryType: null, message, json, form: null, acts: [], tokens: [] },
    findings: [caution('oldTypedData'), ...hiddenIn(json)],
  }
}

/** The finding that describes the effect of a signature of this form. */
const kindOf = ({ primaryType }: TypedData, form: SignedForm | null): FindingName => {
  if (form === null) return MOVES_TOKENS.test(primaryType) ? 'movesTokens' : 'unknownFormat'
  return CARRIES_CALLS.includes(form) ? 'makesCalls' : 'movesTokens'
}

/** `account` is the signer; `tokens` are the token contracts' own descriptions of themselves. */
export const reviewTypedData = (typedData: TypedData, account: string, tokens: readonly TokenView[] = []): Review => {
  const { domain, message } = describeTypedData(typedData)
  const { undeclared: _, ...signed } = typedData
  const { primaryType } = signed
  const json = JSON.stringify(signed, null, 2)
  const { form, acts, payments = [], findings = [] } = readForm(typedData, account) ?? { form: null, acts: [] }
  const dangers = [...reviewAuthorizations(typedData), ...findingsOfActs(acts, tokens)]
  return {
    effect: { kind: 'typedData', domain, primaryType, message, json, form, acts, ...paymentsIn({ payments }), tokens },
    findings: once([...dangers, ...findings, caution(kindOf(typedData, form)), ...hiddenIn(json)]),
  }
}
