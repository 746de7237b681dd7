/** Tolerating unusual domains must not hide what is signed: the review must equal the usual domain's. */
import { parseTypedData, type TypedDataField } from '@heliograph/shared/evm/typed-data'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registrableDomain } from '../sites/registrable-domain.fixture.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { TOKEN } from './forms.fixture.ts'
import { reviewScope, reviewTypedData } from './typed-data.ts'

const FACTS = { origin: 'https://site.example', account: ADDRESS, chainId: 1, now: 0, registrableDomain }

const fieldsOf = (list: string): TypedDataField[] =>
  list.split(',').map(field => {
    const [type = '', name = ''] = field.split(' ')
    return { type, name }
  })

type Signed = { primaryType: string; types: Record<string, string>; message: object }

const common = { owner: ADDRESS, from: ADDRESS, holder: ADDRESS, to: SECOND, spender: SECOND, value: '5', nonce: '0' }
const details = { token: TOKEN, amount: '5', expiration: '99', nonce: '0' }
const safe = { to: SECOND, value: '5', data: '0x', operation: '0', safeTxGas: '0', baseGas: '0', gasPrice: '0' }

/** Data that moves tokens or makes calls. */
const SIGNED: readonly Signed[] = [
  {
    primaryType: 'Permit',
    types: { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' },
    message: { ...common, deadline: '99' },
  },
  {
    primaryType: 'Permit',
    types: { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' },
    message: { ...common, expiry: '0', allowed: true },
  },
  {
    primaryType: 'TransferWithAuthorization',
    types: {
      TransferWithAuthorization:
        'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    },
    message: { ...common, validAfter: '0', validBefore: '99', nonce: `0x${'00'.repeat(32)}` },
  },
  {
    primaryType: 'PermitSingle',
    types: {
      PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline',
      PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce',
    },
    message: { details, spender: SECOND, sigDeadline: '99' },
  },
  {
    primaryType: 'SafeTx',
    types: {
      SafeTx:
        'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
    },
    message: { ...safe, gasToken: `0x${'00'.repeat(20)}`, refundReceiver: `0x${'00'.repeat(20)}`, nonce: '0' },
  },
]
const DOMAIN = fieldsOf('string name,string version,uint256 chainId,address verifyingContract')
const VALUES = { name: 'Token', version: '1', chainId: 1, verifyingContract: TOKEN }

const reviewed = ({ primaryType, types, message }: Signed, EIP712Domain: TypedDataField[], domain: object) => {
  const structs = Object.fromEntries(Object.entries(types).map(([name, list]) => [name, fieldsOf(list)]))
  const data = parseTypedData({ types: { ...structs, EIP712Domain }, primaryType, domain, message })
  const { effect, findings } = reviewTypedData(data, ADDRESS)
  if (effect.kind !== 'typedData') throw new TypeError(effect.kind)
  const { form, acts, contract } = effect
  return { form, acts, contract, findings: [...findings, ...reviewScope(data, FACTS, form)] }
}

test('any order, width of the chain id and undeclared null leaves the acts and findings of the usual domain', () => {
  const order = fc.shuffledSubarray(DOMAIN, { minLength: DOMAIN.length })
  const width = fc.constantFrom('uint8', 'uint64', 'uint128', 'int256', 'uint256')
  const empty = fc.subarray(['salt', 'network', '__proto__'])
  fc.assert(
    fc.property(fc.constantFrom(...SIGNED), order, width, empty, (signed, fields, type, names) => {
      const declared = fields.map(field => (field.name === 'chainId' ? { ...field, type } : field))
      const nothing = JSON.parse(`{${names.map(name => `"${name}":null`).join(',')}}`)
      const usual = reviewed(signed, DOMAIN, VALUES)
      expect(usual.form).not.toBeNull()
      expect(reviewed(signed, declared, Object.assign(nothing, VALUES))).toEqual(usual)
    }),
    { numRuns: 300 },
  )
})

test('a contract that is not an address is not identified, and never removes warnings', () => {
  for (const signed of SIGNED)
    for (const [type, verifyingContract] of [
      ['string', TOKEN],
      ['string', 'cosmos'],
      ['bytes32', `0x${TOKEN.slice(2).padStart(64, '0')}`],
      ['bytes20', TOKEN],
      ['uint160', TOKEN],
    ]) {
      const declared = [...DOMAIN.slice(0, 3), { name: 'verifyingContract', type: String(type) }]
      const { contract, findings } = reviewed(signed, declared, { ...VALUES, verifyingContract })
      expect(contract, type).toBeNull()
      const names = findings.filter(({ level }) => level !== 'none').map(({ name }) => name)
      expect(names, `${signed.primaryType} ${type}`).toContain('contractAsText')
    }
})

test('an undeclared null contract is reviewed like a domain without a contract', () => {
  const without = DOMAIN.slice(0, 3)
  const { verifyingContract: _, ...values } = VALUES
  for (const signed of SIGNED)
    expect(reviewed(signed, without, { ...values, verifyingContract: null })).toEqual(reviewed(signed, without, values))
})
