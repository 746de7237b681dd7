/** ENS names on a real chain. Web3 and ethers resolve the same names independently. */
import { AbiCoder, concat, id, keccak256, namehash, ZeroAddress } from 'ethers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Web3 } from 'web3'
import type { AskGateway } from '../../extension/src/wallet/names/gateways.ts'
import { createNames } from '../../extension/src/wallet/names/names.ts'
import {
  askAll,
  type Chain,
  createChain,
  NODE_TIMEOUT,
  postWithin,
  type Question,
} from '../../extension/src/wallet/networks/node.ts'
import { toAddress } from '../../shared/src/evm/address.ts'
import { defaultNetworks, type Network } from '../../shared/src/network.ts'
import { addressNamed } from '../fuzz/world.ts'
import { type Ens, OFFCHAIN, RESOLVER, startEns, WILDCARD } from './ens.ts'

const ALICE = toAddress(addressNamed('alice'))
const BOB = toAddress(addressNamed('bob'))
const SAFE = addressNamed('a contract wallet')
const GATEWAY = 'https://gateway.example/{sender}/{data}.json'
const BASE = { chainId: 8453, title: 'Base', prefixes: ['eth'], rpcUrls: ['https://base.example/'] }
const BASE_COIN = 0x80000000 + BASE.chainId

let ens: Ens
let asked: string[] = []
let readsOffchain = false
let now = 0

const coder = AbiCoder.defaultAbiCoder()

/** Returns the gateway's response: BOB, and the proof that the contract requires. */
const answerTo = (callData: string) =>
  coder.encode(['address', 'bytes32'], [BOB, keccak256(coder.encode(['address', 'bytes'], [BOB, callData]))])

const honest: AskGateway = async (url, body) => {
  asked.push(url)
  const question = body === null ? (/0x[0-9a-f]+(?=\.json)/.exec(url)?.[0] ?? '') : JSON.parse(body).data
  return { status: 200, text: JSON.stringify({ data: answerTo(question) }) }
}
const gateway = vi.fn(honest)

beforeAll(async () => {
  ens = await startEns()
  await ens.register('alice.eth', ALICE)
  await ens.setResolver('wild.eth', WILDCARD)
  await ens.setResolver('off.eth', OFFCHAIN)
})
afterAll(() => ens?.stop())

beforeEach(async () => {
  asked = []
  readsOffchain = false
  gateway.mockReset().mockImplementation(honest)
})

const node = createChain()

const namesOn = (rpcUrls: readonly string[], chain: Chain = node, nodeUses: Network['nodeUses'] = {}) => {
  const networks = [...defaultNetworks.map(one => (one.chainId === 1 ? { ...one, rpcUrls, nodeUses } : one))]
  const [first] = networks
  if (!first) throw new Error('no network')
  const all = [...networks, { ...first, ...BASE }]
  return createNames({
    chain,
    networks: {
      list: async () => all,
      get: async chainId => all.find(one => one.chainId === chainId) ?? first,
    },
    readsOffchain: async () => readsOffchain,
    now: () => now,
    askGateway: gateway,
  })
}
const names = () => namesOn([ens.anvil.url])
const addressOf = async (name: string, chainId = 1) => (await names().resolve(name, chainId)).address

test('a name resolves to the address that web3 finds', async () => {
  const found = await names().resolve(' Alice.ETH ', 1)
  expect(found).toEqual({ name: 'alice.eth', address: ALICE, isOfEthereum: false, hosts: [] })
  expect(String(await new Web3(ens.anvil.url).eth.ens.getAddress('alice.eth'))).toBe(ALICE.toLowerCase())
})

test('the resolver of a parent resolves names below it (ENSIP-10)', async () => {
  for (const name of ['one.wild.eth', 'a.b.wild.eth', 'wild.eth', 'ñandú.wild.eth'])
    expect(await addressOf(name)).toBe(await ens.askWithEthers(WILDCARD, name))
})

test('the resolver of a parent without ENSIP-10 resolves no name below it', async () => {
  const error = { reason: 'nameWithoutAddress', values: { name: 'sub.alice.eth' } }
  await expect(names().resolve('sub.alice.eth', 1)).rejects.toMatchObject(error)
})

test.each(['nobody.eth', 'empty.eth', 'broken.eth'])('%s resolves to no address', async name => {
  await ens.setResolver('empty.eth', RESOLVER)
  await ens.setResolver('broken.eth', BOB)
  await expect(names().resolve(name, 1)).rejects.toMatchObject({ reason: 'nameWithoutAddress', values: { name } })
})

test('resolving a name takes two requests to the node', async () => {
  const post = vi.fn(async (url: string, body: string) => {
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return answer.text()
  })
  await namesOn([ens.anvil.url], createChain(post)).resolve('a.b.wild.eth', 1)
  expect(post).toHaveBeenCalledTimes(2)
})

test('without an Ethereum node, no node is contacted', async () => {
  const chain = vi.fn<Chain>()
  const error = { code: 4901, reason: 'noEthereumNode' }
  await expect(namesOn([], chain).resolve('alice.eth', 31337)).rejects.toMatchObject(error)
  expect(await namesOn([], chain).resolveQuietly('alice.eth', 1)).toBeUndefined()
  expect(await namesOn([], chain).nameOf(ALICE)).toBeNull()
  expect(chain).not.toHaveBeenCalled()
})

test('a text that is not an ENS name is not sent to a node', async () => {
  const chain = vi.fn<Chain>()
  for (const text of ['аlice.eth', 'alice', 'a..eth', `${'a'.repeat(300)}.eth`, `${'a.'.repeat(16)}eth`])
    await expect(namesOn([ens.anvil.url], chain).resolve(text, 1)).rejects.toMatchObject({ reason: 'notEnsName' })
  expect(chain).not.toHaveBeenCalled()
})

test('an error of the node is thrown, and no parent is tried instead', async () => {
  const chain: Chain = Object.assign(vi.fn(), {
    all: async (_: unknown, questions: readonly unknown[]) =>
      questions.map((_, at) =>
        at === 0 ? { error: Object.assign(new Error('busy'), { code: -32000 }) } : { result: '0x' },
      ),
  }) as never
  await expect(namesOn([ens.anvil.url], chain).resolve('one.wild.eth', 1)).rejects.toThrow('busy')
})

test('on another network, a name resolves to its address there, or to the address of an account on Ethereum', async () => {
  await ens.register('both.eth', ALICE)
  await ens.setCoin('both.eth', BASE_COIN, BOB)
  expect(await names().resolve('both.eth', BASE.chainId)).toMatchObject({ address: BOB, isOfEthereum: false })
  expect(await names().resolve('alice.eth', BASE.chainId)).toMatchObject({ address: ALICE, isOfEthereum: true })
})

test('if reading the address on another network fails, the address on Ethereum is not used instead', async () => {
  await ens.setCoin('both.eth', BASE_COIN, BOB)
  const failing: Chain = Object.assign(vi.fn(), {
    all: async (network: Network, questions: readonly Question[]) => {
      const outcomes = await askAll(node, network, questions)
      const isCoin = JSON.stringify(questions).includes(BASE_COIN.toString(16))
      return isCoin
        ? outcomes.map(() => ({ error: Object.assign(new Error('execution timeout'), { code: -32000 }) }))
        : outcomes
    },
  }) as never
  await expect(namesOn([ens.anvil.url], failing).resolve('both.eth', BASE.chainId)).rejects.toThrow('execution timeout')
})

test('on another network, the Ethereum address of a contract is not used, but the address of a delegated account is', async () => {
  await ens.register('safe.eth', SAFE)
  await ens.setCode(SAFE, '0x00')
  const error = { reason: 'nameOnlyOnEthereum', values: { name: 'safe.eth', network: 'Base' } }
  await expect(names().resolve('safe.eth', BASE.chainId)).rejects.toMatchObject(error)
  expect(await addressOf('safe.eth')).toBe(SAFE)
  await ens.setCode(SAFE, `0xef0100${ALICE.slice(2)}`)
  expect(await addressOf('safe.eth', BASE.chainId)).toBe(SAFE)
})

test('a name that is stored off chain contacts no gateway unless the user allowed it', async () => {
  await ens.setGateways([GATEWAY, 'https://second.example/'], ZeroAddress, 1)
  const error = { reason: 'nameOffChain', values: { name: 'x.off.eth', hosts: 'gateway.example, second.example' } }
  await expect(names().resolve('x.off.eth', 1)).rejects.toMatchObject(error)
  expect(await names().resolveQuietly('x.off.eth', 1)).toBeUndefined()
  expect(asked).toEqual([])
})

test.each([
  ['by GET', GATEWAY],
  ['by POST', 'https://gateway.example/'],
])('once allowed, the gateway is called %s, and the contract checks its response', async (_, url) => {
  await ens.setGateways([url], ZeroAddress, 2)
  readsOffchain = true
  const found = await names().resolve('x.off.eth', 1)
  expect(found).toEqual({ name: 'x.off.eth', address: BOB, isOfEthereum: false, hosts: ['gateway.example'] })
  expect(asked).toHaveLength(2)
  expect(await ens.askWithEthers(OFFCHAIN, 'x.off.eth', answerTo)).toBe(BOB)
})

test("the contract rejects a gateway's wrong response", async () => {
  await ens.setGateways([GATEWAY], ZeroAddress, 1)
  readsOffchain = true
  gateway.mockResolvedValue({ status: 200, text: JSON.stringify({ data: answerTo('0x00') }) })
  for (const chainId of [1, BASE.chainId])
    await expect(names().resolve('x.off.eth', chainId)).rejects.toMatchObject({
      reason: 'gatewaysSilent',
      values: { hosts: 'gateway.example' },
    })
})

test('the next gateway is tried after a failure, but none after a refusal', async () => {
  await ens.setGateways([GATEWAY, 'https://second.example/'], ZeroAddress, 1)
  readsOffchain = true
  for (const failure of [
    { status: 500, text: '' },
    { status: 200, text: 'no JSON' },
    { status: 200, text: '{}' },
  ]) {
    gateway.mockResolvedValueOnce(failure)
    expect((await names().resolve('x.off.eth', 1)).hosts).toEqual(['second.example'])
  }
  gateway.mockRejectedValue(new Error('unreachable'))
  const silent = { reason: 'gatewaysSilent', values: { hosts: 'gateway.example, second.example' } }
  await expect(names().resolve('x.off.eth', 1)).rejects.toMatchObject(silent)
  gateway.mockReset().mockResolvedValue({ status: 404, text: '' })
  const refused = { reason: 'gatewayRefused', values: { host: 'gateway.example', status: 404 } }
  await expect(names().resolve('x.off.eth', 1)).rejects.toMatchObject(refused)
  expect(gateway).toHaveBeenCalledTimes(1)
})

test.each([
  ['another sender', [GATEWAY], ALICE, 1],
  ['only http', ['http://gateway.example/{data}'], ZeroAddress, 1],
  ['a private host', ['https://192.168.1.1/{data}', 'https://router.local/', 'https://localhost/'], ZeroAddress, 1],
  ['a user name', ['https://user:secret@gateway.example/'], ZeroAddress, 1],
  ['no gateway', [], ZeroAddress, 1],
  ['too many rounds', [GATEWAY], ZeroAddress, 6],
])('a lookup with %s is not followed', async (_, urls, claimed, rounds) => {
  await ens.setGateways(urls, claimed, rounds)
  readsOffchain = true
  await expect(names().resolve('x.off.eth', 1)).rejects.toMatchObject({ reason: 'lookupRefused' })
  expect(asked.length).toBeLessThanOrEqual(4)
})

test('an address has a name if its primary name resolves to the address', async () => {
  expect(await names().nameOf(ALICE)).toBeNull()
  await ens.setPrimary(ALICE, 'alice.eth')
  expect(await names().nameOf(ALICE)).toBe('alice.eth')
})

test('a primary name that is not normalized is not shown, even if it resolves to the address', async () => {
  // ethers normalizes names, so the node is computed here.
  await ens.registerNode(keccak256(concat([namehash('eth'), id('Bob')])), BOB)
  await ens.setPrimary(BOB, 'Bob.eth')
  expect(await names().nameOf(BOB)).toBeNull()
})

test.each(['alice.eth', 'Bob.eth', 'аlice.eth', 'nobody.eth', 'x.off.eth', '', 'a'.repeat(300)])(
  'a primary name that does not resolve to the address is not shown: %j',
  async name => {
    await ens.register('bob.eth', BOB)
    await ens.setGateways([GATEWAY], ZeroAddress, 1)
    await ens.setPrimary(BOB, name)
    readsOffchain = true
    expect(await names().nameOf(BOB)).toBeNull()
    expect(asked).toEqual([])
  },
)

test('a name is cached for ten minutes, and then looked up again', async () => {
  const kept = names()
  await ens.register('bob.eth', BOB)
  await ens.setPrimary(BOB, 'bob.eth')
  expect(await kept.nameOf(BOB)).toBe('bob.eth')
  await ens.register('bob.eth', ALICE)
  now += 10 * 60_000 - 1
  expect(await kept.nameOf(BOB)).toBe('bob.eth')
  now += 1
  expect(await kept.nameOf(BOB)).toBeNull()
})

describe('with a second node for comparing', () => {
  const LIAR = 'https://liar.example/'
  const MALLORY = addressNamed('mallory')

  /** A client for the chain and for a node that answers like it, but with `lie` applied to the text of its answers. */
  const withLiar = (lie: (text: string) => string): Chain => {
    const post = postWithin(NODE_TIMEOUT)
    return createChain(async (url, body, signal) =>
      url === LIAR ? lie(await post(ens.anvil.url, body, signal)) : post(url, body, signal),
    )
  }
  const swap = (text: string) => text.replaceAll(ALICE.slice(2).toLowerCase(), MALLORY.slice(2).toLowerCase())
  const compared = (rpcUrls: readonly string[], chain: Chain) => {
    const [, other = ''] = rpcUrls
    return namesOn(rpcUrls, chain, { [other]: { also: 'comparing' } })
  }

  test('two nodes that find the same address agree', async () => {
    const { address, checked } = await compared(
      [ens.anvil.url, LIAR],
      withLiar(text => text),
    ).resolve('alice.eth', 1)
    expect(address).toBe(ALICE)
    expect(checked?.facts).toEqual([{ fact: 'name', about: 'alice.eth', by: 'agreed' }])
    expect(checked?.hosts).toEqual([new URL(ens.anvil.url).host, 'liar.example'])
  })

  test('a node that lies about a name is found, whichever of the two it is', async () => {
    for (const urls of [
      [LIAR, ens.anvil.url],
      [ens.anvil.url, LIAR],
    ]) {
      const { checked } = await compared(urls, withLiar(swap)).resolve('alice.eth', 1)
      const said = [...(checked?.facts[0]?.said ?? [])].map(address => address.toLowerCase()).toSorted()
      expect([checked?.facts[0]?.by, said]).toEqual([
        'differs',
        [ALICE, MALLORY].map(one => one.toLowerCase()).toSorted(),
      ])
    }
  })

  test('a name that only one node knows is a disagreement', async () => {
    const forget = (text: string) => text.replaceAll(ALICE.slice(2).toLowerCase(), '0'.repeat(40))
    const { checked } = await compared([ens.anvil.url, LIAR], withLiar(forget)).resolve('alice.eth', 1)
    expect(checked?.facts).toEqual([{ fact: 'name', about: 'alice.eth', by: 'differs', said: [ALICE, '0x'] }])
  })

  test('a dead second node, and a name that is stored off chain, leave the answer to one node', async () => {
    const dead = withLiar(() => {
      throw new Error('dead')
    })
    const { address, checked } = await compared([ens.anvil.url, LIAR], dead).resolve('alice.eth', 1)
    expect([address, checked?.facts[0]?.by]).toEqual([ALICE, 'alone'])
    readsOffchain = true
    await ens.setGateways([GATEWAY], ZeroAddress, 1)
    const off = await compared(
      [ens.anvil.url, LIAR],
      withLiar(text => text),
    ).resolve('x.off.eth', 1)
    expect(off.checked?.facts[0]?.by).toBe('alone')
  })
})
