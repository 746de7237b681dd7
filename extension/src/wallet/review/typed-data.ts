/** Reviews typed data. Data in an unknown form is shown in full, with a caution. */
import { describeTypedData, type TypedData } from '@heliograph/shared/evm/typed-data'
import { describeTypedValues, type TypedValue } from '@heliograph/shared/evm/typed-data-v1'
import type { AddressFacts, Finding, FindingName, SignedForm, TokenView } from '../../messages.ts'
import { hasHiddenCharacters } from '../text/text.ts'
import { paymentsIn } from './call.ts'
import { reviewAuthorizations } from './carried-calls.ts'
import { once } from './findings.ts'
import { readForm } from './forms.ts'
import type { Review } from './message.ts'
import { contractOf } from './typed-fields.ts'

/** Primary types whose signature lets others take tokens without a transaction by the signer. */
const MOVES_TOKENS =
  /^Permit|^(?:Order|OrderComponents|BulkOrder|MetaTransaction|TransferWithAuthorization|ReceiveWithAuthorization)$/

/** Forms whose signature lets others make calls. */
const CARRIES_CALLS: readonly (SignedForm | null)[] = ['userOperation', 'forwardRequest']

const caution = (name: FindingName): Finding => ({ level: 'caution', name, values: [] })

const hiddenIn = (json: string): Finding[] => (hasHiddenCharacters(json) ? [caution('hiddenCharacters')] : [])

/** Reviews version 1, a plain list of values, which is not bound to a site, contract or chain. */
export const reviewTypedValues = (values: readonly TypedValue[]): Review => {
  const json = JSON.stringify(values, null, 2)
  const message = { name: '', type: '', value: describeTypedValues(values) }
  return {
    effect: { kind: 'typedData', domain: [], primaryType: null, message, json, form: null, acts: [], tokens: [] },
    findings: [caution('oldTypedData'), ...hiddenIn(json)],
  }
}

/** Returns findings about the form, in addition to its acts: it is unknown, or others make the calls. */
const reviewForm = ({ primaryType }: TypedData, form: SignedForm | null): Finding[] => {
  if (form === null) return [caution(MOVES_TOKENS.test(primaryType) ? 'movesTokens' : 'unknownFormat')]
  return CARRIES_CALLS.includes(form) ? [caution('makesCalls')] : []
}

/**
 * Reviews typed data. `account` is the signer, `tokens` are the token contracts' own metadata, `facts` the node's
 * information about other addresses.
 */
export const reviewTypedData = (
  typedData: TypedData,
  account: string,
  tokens: readonly TokenView[] = [],
  facts?: AddressFacts,
): Review => {
  const { domain, message } = describeTypedData(typedData)
  const { undeclared: _, ...signed } = typedData
  const { primaryType } = signed
  const json = JSON.stringify(signed, null, 2)
  const { form, acts, payments = [], findings = [] } = readForm(typedData, account) ?? { form: null, acts: [] }
  const contract = contractOf(typedData) ?? null
  return {
    effect: {
      kind: 'typedData',
      domain,
      primaryType,
      message,
      json,
      form,
      acts,
      ...paymentsIn({ payments }),
      tokens,
      contract,
      ...(facts && { facts }),
    },
    findings: once([
      ...reviewAuthorizations(typedData),
      ...findings,
      ...reviewForm(typedData, form),
      ...hiddenIn(json),
    ]),
  }
}
