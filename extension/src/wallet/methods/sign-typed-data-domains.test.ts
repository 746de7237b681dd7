/**
 * EIP-712 domains as sites declare them. The signature must equal other signers', and the review must match the signed
 * data.
 */

import { recoverAddress } from 'ethers'
import { hashTypedData as viemHash } from 'viem'
import { expect, test } from 'vitest'
import { ADDRESS, recordingWallet } from '../wallet.fixture.ts'

const fieldsOf = (list: string) =>
  list.split(',').map(field => {
    const [type = '', name = ''] = field.split(' ')
    return { type, name }
  })
const dataOf = (domainType: string, domain: object) => ({
  types: { EIP712Domain: fieldsOf(domainType), M: fieldsOf('string a') },
  primaryType: 'M',
  domain,
  message: { a: 'x' },
})
const X = { name: 'X', version: '1' }
const USUAL = 'string name,string version,uint256 chainId'
const COSMOS = `${USUAL},string verifyingContract,string salt`
const cosmos = { name: 'Cosmos Web3', version: '1.0.0', chainId: 31337, verifyingContract: 'cosmos', salt: '0' }

test.each<[string, string, object, string[]]>([
  ['the version last', 'string name,uint256 chainId,string version', { ...X, chainId: 31337 }, []],
  ['the chain id first', 'uint256 chainId,string name', { chainId: 31337, name: 'X' }, []],
  ['an undeclared contract that is null', USUAL, { ...X, chainId: 31337, verifyingContract: null }, []],
  ['an undeclared chain id that is null', 'string name,string version', { ...X, chainId: null }, ['noChainId']],
  ['the members of Ethermint as text', COSMOS, cosmos, ['contractAsText']],
  ['the usual order', USUAL, { ...X, chainId: 31337 }, []],
  ['a 64-bit chain id', 'uint64 chainId,string name', { chainId: '0x7a69', name: 'X' }, []],
  ['a salt that is not a number', 'string salt', { salt: 'words' }, ['noChainId']],
  [
    'a contract that is empty text',
    'string verifyingContract',
    { verifyingContract: '' },
    ['noChainId', 'contractAsText'],
  ],
])('a domain with %s is signed as viem hashes it', async (_, domainType, domain, notes) => {
  const { ask, seen } = await recordingWallet()
  const data = dataOf(domainType, domain)
  const hash = viemHash(data as Parameters<typeof viemHash>[0])
  for (const method of ['eth_signTypedData_v4', 'eth_signTypedData_v3', 'chain_signTypedData'])
    for (const params of [data, JSON.stringify(data)])
      expect(recoverAddress(hash, String(await ask(method, ADDRESS, params))), method).toBe(ADDRESS)
  const declared = fieldsOf(domainType).map(({ name }) => name)
  expect(seen[0]).toMatchObject({ effect: { domain: declared.map(name => ({ name })), contract: null } })
  expect(seen[0]?.findings.map(({ level, name }) => `${level} ${name}`)).toEqual(
    ['unknownFormat', ...notes].map(name => `caution ${name}`),
  )
})

test.each<[string, string | object]>([
  [
    'a chain id too large for a number',
    JSON.stringify(dataOf(USUAL, { ...X, chainId: 'UNQUOTED' })).replace('"UNQUOTED"', '30001231231212312138768'),
  ],
  ['another chain', dataOf(USUAL, { ...X, chainId: 1 })],
  ['another chain in another order', dataOf('uint256 chainId,string name', { chainId: 1, name: 'X' })],
  ['another, 64-bit chain id', dataOf('uint64 chainId', { chainId: '1' })],
  ['a negative chain', dataOf('int256 chainId', { chainId: -31337 })],
  ['a chain as text', dataOf('string chainId', { chainId: '31337' })],
  ['a declared member that is null', dataOf(USUAL, { ...X, chainId: null })],
  ['an undeclared member with a value', dataOf('string name', X)],
  [
    'an own account as the contract, in another order',
    dataOf('address verifyingContract,string name', { name: 'X', verifyingContract: ADDRESS }),
  ],
  ['an own account as the contract, as text', dataOf('string verifyingContract', { verifyingContract: ADDRESS })],
])('a domain with %s is refused without asking the user', async (_, data) => {
  const { ask, shown } = await recordingWallet()
  await expect(ask('eth_signTypedData_v4', ADDRESS, data)).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})
