import { parseTypedData } from '@heliograph/shared/evm/typed-data'
import { ADDRESS } from '../wallet.fixture.ts'
import { reviewAuthorizations } from './carried-calls.ts'
import { readForm } from './forms.ts'

export const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

type Types = Record<string, string>
const fields = (types: Types) => Object.entries(types).map(([name, type]) => ({ name, type }))

/** Returns the form, acts and payments of typed data that ADDRESS would sign, without the acts that report calls. */
export const review = (
  primaryType: string,
  types: Record<string, Types>,
  message: object,
  domain: object = { verifyingContract: TOKEN },
) => {
  const declared = Object.fromEntries(Object.entries(types).map(([name, of]) => [name, fields(of)]))
  const data = parseTypedData({ types: declared, primaryType, domain, message })
  const read = readForm(data, ADDRESS)
  const findings = [...reviewAuthorizations(data), ...(read?.findings ?? [])]
  return {
    form: read?.form ?? null,
    acts: (read?.acts ?? []).filter(({ kind }) => kind !== 'call'),
    payments: (read?.payments ?? []).map(({ from, to, value }) => ({ from, to, value })),
    names: findings.map(({ level, name }) => `${level} ${name}`),
    unread: (read?.acts ?? []).some(act => act.kind === 'call' && !act.readable),
  }
}
