/** Typed data, and changes by an attacker that keep its signature usable. */
import { recoverAddress } from 'ethers'
import { pick, type Random, randomFrom, shuffled } from '../support/random.ts'
import { COLLECTIONS, OWNERS, PERMIT2S, SPENDER, TOKENS } from './addresses.ts'
import { AMOUNTS } from './calls.ts'
import type { Case, Kind, Mutation, Shown, Subject } from './case.ts'
import { IRREGULARITIES, type Irregular, type Irregularity } from './encode.ts'
import { type Data, digestOf, fields } from './permits.ts'
import { FIRST, harmSeen, watch } from './probes.ts'
import { SIGNINGS } from './signatures.ts'
import type { Signing } from './signing.ts'

const seedOf = (mutations: readonly Mutation[], name: string): Random | undefined => {
  const found = mutations.find(mutation => mutation.name === name)
  return found && randomFrom(found.seed)
}
const has = (mutations: readonly Mutation[], name: string) => mutations.some(mutation => mutation.name === name)

/** Variants of types and domain that some contract can define. The signature is valid for that contract. */
const OF_ANOTHER_CONTRACT = [
  'fields in another order',
  'declared fields',
  'chain in no domain',
  'chain as salt',
  'other names in the domain',
] as const

const isContract = (name: string) => OF_ANOTHER_CONTRACT.some(known => known === name)

const withFields = (data: Data, change: (own: Data['types'][string]) => Data['types'][string]): Data => {
  const own = data.types[data.primaryType] ?? []
  return { ...data, types: { ...data.types, [data.primaryType]: change(own) } }
}

/** Returns the data as that contract defines it. */
const asContract = (data: Data, mutations: readonly Mutation[]): Data => {
  let made = data
  const order = seedOf(mutations, 'fields in another order')
  if (order) made = withFields(made, own => shuffled(order, own))
  const declared = seedOf(mutations, 'declared fields')
  if (declared) {
    made = withFields(made, own => shuffled(declared, [...own, ...fields('string note,uint256 bonus')]))
    made = { ...made, message: { ...made.message, note: 'You receive 1,000 tokens', bonus: 1000n } }
  }
  const { chainId, ...domain } = made.domain
  if (has(mutations, 'chain in no domain')) made = { ...made, domain }
  if (has(mutations, 'chain as salt'))
    made = { ...made, domain: { ...domain, salt: `0x${Number(chainId).toString(16).padStart(64, '0')}` } }
  if (has(mutations, 'other names in the domain'))
    made = { ...made, domain: { ...made.domain, name: 'Sign in', version: '\u202e1' } }
  return made
}

type Write = (value: unknown, name: string) => unknown

/** Returns the tree with its members reordered and its leaves respelled. */
const rewrite = (value: unknown, write: Write, order: Random | undefined, name = ''): unknown => {
  if (Array.isArray(value)) return value.map(item => rewrite(item, write, order, name))
  if (typeof value !== 'object' || value === null) return write(value, name)
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    rewrite(member, write, order, key),
  ])
  return Object.fromEntries(order ? shuffled(order, members) : members)
}

const writeNumber = (value: bigint, random: Random | undefined): unknown => {
  if (!random) return String(value)
  const hex = value.toString(16)
  const forms = [String(value), `0x${hex}`, `0x00${hex}`, `00${value}`, `0x${hex.toUpperCase()}`]
  return pick(random, value <= Number.MAX_SAFE_INTEGER ? [...forms, Number(value)] : forms)
}

const writer = (mutations: readonly Mutation[]): Write => {
  const numbers = seedOf(mutations, 'numbers in other forms')
  const letters = seedOf(mutations, 'letters in capitals')
  return value => {
    if (typeof value === 'bigint' || typeof value === 'number') return writeNumber(BigInt(value), numbers)
    if (!letters || typeof value !== 'string' || !value.startsWith('0x')) return value
    return letters(2) === 0 ? value.toLowerCase() : `0x${value.slice(2).toUpperCase()}`
  }
}

const UNDECLARED = { simulation: 'You receive 1 ETH', value: '0', 'spender ': '0x00', to: `0x${'00'.repeat(20)}` }

/** Adds members that no type declares to every struct that lacks them. */
const withUndeclared = (value: unknown, random: Random): unknown => {
  if (Array.isArray(value)) return value.map(item => withUndeclared(item, random))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [key, withUndeclared(member, random)])
  const extra = Object.entries(UNDECLARED).filter(([key]) => !Object.hasOwn(value, key) && random(3) === 0)
  return Object.fromEntries(shuffled(random, [...members, ...extra]))
}

const DOMAIN_TYPES: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}
const domainType = (domain: Record<string, unknown>) =>
  Object.entries(DOMAIN_TYPES)
    .filter(([name]) => Object.hasOwn(domain, name))
    .map(([name, type]) => ({ name, type }))

/** Returns the data as the page sends it. */
export const asJson = (data: Data, mutations: readonly Mutation[]): unknown => {
  const order = seedOf(mutations, 'members in another order')
  const undeclared = seedOf(mutations, 'undeclared members')
  const text = seedOf(mutations, 'as text')
  const write = writer(mutations)
  const types = {
    ...(has(mutations, 'domain without type') ? {} : { EIP712Domain: domainType(data.domain) }),
    ...data.types,
    ...(has(mutations, 'unused types') && { Permitted: fields('address spender,uint256 value') }),
  }
  const sorted = order ? Object.fromEntries(shuffled(order, Object.entries(types))) : types
  const [domain, message] = [data.domain, data.message].map(part => {
    const written = rewrite(part, write, order)
    return undeclared ? withUndeclared(written, undeclared) : written
  })
  const whole = { types: sorted, primaryType: data.primaryType, domain, message }
  const ordered = order ? Object.fromEntries(shuffled(order, Object.entries(whole))) : whole
  return text ? JSON.stringify(ordered, null, pick(text, [0, 2, 10])) + ' '.repeat(text(3)) : ordered
}

const signingOf = (name: string): Signing => {
  const found = SIGNINGS.get(name)
  if (!found) throw new Error(`no typed data ${name}`)
  return found
}

const irregularOf = (mutations: readonly Mutation[]): Irregular =>
  new Map(
    mutations.flatMap(({ name, seed }): [Irregularity, Random][] => {
      const known = IRREGULARITIES.find(irregularity => irregularity === name)
      return known ? [[known, randomFrom(seed)]] : []
    }),
  )

const DECOYS = 6

const dataOf = (signing: Signing, mutations: readonly Mutation[]) => {
  const contract = seedOf(mutations, 'another contract')
  const contracts = contract
    ? { token: pick(contract, TOKENS), items: pick(contract, COLLECTIONS), permit2: pick(contract, PERMIT2S) }
    : FIRST
  const signer = has(mutations, 'another account') ? OWNERS[1] : OWNERS[0]
  const other = seedOf(mutations, 'another amount')
  const higher = AMOUNTS.filter(candidate => candidate > signing.amount)
  const amount =
    other && higher.length > 0 && signing.amount > 0n ? pick(other, [signing.amount + 1n, ...higher]) : signing.amount
  const several = seedOf(mutations, 'among others')
  const random = several ?? randomFrom(0)
  const making = { ...contracts, signer, amount, decoys: several ? several(DECOYS) : null, random }
  const data = signing.make({ ...making, irregular: irregularOf(mutations) })
  return { data: asContract(data, mutations), signer, contracts }
}

export const isSignedBy = (data: Data, { signature }: Shown, signer: string): boolean =>
  signature !== null && recoverAddress(digestOf(data), signature) === signer

export const methodOf = (mutations: readonly Mutation[]): string => {
  const version = pick(seedOf(mutations, 'another version') ?? (() => 0), ['_v4', '_v3', ''])
  return `${has(mutations, 'another prefix') ? 'chain' : 'eth'}_signTypedData${version}`
}

const build = ({ fixture, mutations }: Case): Subject => {
  const signing = signingOf(fixture)
  const { data, signer, contracts } = dataOf(signing, mutations)
  const watching = watch(signing.family, contracts)
  const json = asJson(data, mutations)
  const isOwn = mutations.some(({ name }) => isContract(name))
  return {
    request: { method: methodOf(mutations), params: [signer, json] },
    sceneOf: ({ signature }) => {
      const acts = signature === null ? [] : signing.redeem(data, signature, signer)
      return isOwn || acts.length === 0 ? null : { actor: SPENDER, acts, probes: watching }
    },
    harmOf: (words, shown) => {
      if (!isSignedBy(data, shown, signer)) return { taken: 0n }
      const isGood = isOwn || signing.redeem(data, shown.signature ?? '', signer).length === 0
      if (isGood) return { taken: 2n ** 256n }
      return { taken: Object.values(harmSeen(watching, words)).reduce((sum, amount) => sum + amount, 0n) }
    },
  }
}

/** Spellings of the JSON text that keep the signed hash. */
export const TYPED_SPELLINGS = [
  'members in another order',
  'undeclared members',
  'as text',
  'letters in capitals',
  'numbers in other forms',
  'domain without type',
  'unused types',
  'another version',
  'another prefix',
] as const

const CHANGES = [
  ...TYPED_SPELLINGS,
  'another contract',
  'another amount',
  'another account',
  'among others',
  ...OF_ANOTHER_CONTRACT,
] as const
const HOLDS_CALLS = ['SafeTx', 'PackedUserOperation', 'ForwardRequest']

const mutationsFor = (fixture: string, random: Random): readonly Mutation[] => {
  const names: string[] = Array.from({ length: 1 + random(4) }, () => pick(random, CHANGES))
  if (HOLDS_CALLS.includes(fixture))
    for (let left = random(6); left > 0; left--) names.push(pick(random, IRREGULARITIES))
  const { isOwners } = signingOf(fixture)
  return [...new Set(names)]
    .filter(name => name !== 'another account' || !isOwners)
    .map(name => ({ name, seed: random(2 ** 31) }))
}

export const typedData: Kind = {
  name: 'typed data',
  fixtures: [...SIGNINGS.keys()],
  leastOf: fixture => signingOf(fixture).least,
  mutationsFor,
  build,
}
