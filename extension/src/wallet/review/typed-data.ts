/** What signing typed data means. What the wallet does not know the form of, it shows whole and says so. */
import { describeTypedData, type TypedData } from '@heliograph/shared/evm/typed-data'
import { describeTypedValues, type TypedValue } from '@heliograph/shared/evm/typed-data-v1'
import type { Finding, FindingName, SignedForm, TokenView } from '../../messages.ts'
import { findingsOfActs } from './act-findings.ts'
import { paymentsIn } from './call.ts'
import { reviewAuthorizations } from './carried-calls.ts'
import { once } from './findings.ts'
import { readForm } from './forms.ts'
import type { Review } from './message.ts'
import { hasHiddenCharacters } from './text.ts'

/** Primary types whose signature lets somebody take tokens, now or later, without a transaction of the signer. */
const MOVES_TOKENS =
  /^Permit|^(?:Order|OrderComponents|BulkOrder|MetaTransaction|TransferWithAuthorization|ReceiveWithAuthorization)$/

/** Forms whose signature lets others make calls. */
const CARRIES_CALLS: readonly SignedForm[] = ['safeTransaction', 'userOperation', 'forwardRequest']

const caution = (name: FindingName): Finding => ({ level: 'caution', name, values: [] })

const hiddenIn = (json: string): Finding[] => (hasHiddenCharacters(json) ? [caution('hiddenCharacters')] : [])

/** The old list of values is bound to no site, contract or chain. */
export const reviewTypedValues = (values: readonly TypedValue[]): Review => {
  const json = JSON.stringify(values, null, 2)
  const message = { name: '', type: '', value: describeTypedValues(values) }
  return {
    effect: { kind: 'typedData', domain: [], primaryType: null, message, json, form: null, acts: [], tokens: [] },
    findings: [caution('oldTypedData'), ...hiddenIn(json)],
  }
}

/** What a signature of this form is good for. */
const kindOf = ({ primaryType }: TypedData, form: SignedForm | null): FindingName => {
  if (form === null) return MOVES_TOKENS.test(primaryType) ? 'movesTokens' : 'unknownFormat'
  return CARRIES_CALLS.includes(form) ? 'makesCalls' : 'movesTokens'
}

/** `account` is the one that would sign, `tokens` what the contracts of the tokens in it say of themselves. */
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
