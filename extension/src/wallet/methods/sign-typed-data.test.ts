import {
  concat,
  keccak256,
  recoverAddress,
  solidityPackedKeccak256,
  TypedDataEncoder,
  toUtf8Bytes,
  verifyTypedData,
} from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  approve,
  connectedWallet,
  OTHER_SITE,
  PASSWORD,
  recordingWallet,
  SECOND,
} from '../wallet.fixture.ts'

const domain = { name: 'Lighthouse', version: '1', chainId: 31337, verifyingContract: `0x${'c0'.repeat(20)}` }
const types = {
  Guest: [
    { name: 'name', type: 'string' },
    { name: 'wallet', type: 'address' },
  ],
  Invitation: [
    { name: 'guests', type: 'Guest[]' },
    { name: 'places', type: 'uint256' },
  ],
}
const message = { guests: [{ name: 'Grace', wallet: SECOND }], places: '2' }

type Members = Record<string, unknown>
const dataWith = (changes: { domain?: Members; message?: Members } = {}) => {
  const { domain: domainChanges = {}, message: messageChanges = {} } = changes
  const kept = Object.entries({ ...domain, ...domainChanges }).filter(([, value]) => value !== undefined)
  const own = Object.fromEntries(kept)
  return {
    types: { ...types, EIP712Domain: TypedDataEncoder.getPayload(own, types, message).types.EIP712Domain },
    primaryType: 'Invitation',
    domain: own,
    message: { ...message, ...messageChanges },
  }
}

test('the signature is valid under every name of the method, from an object and from JSON', async () => {
  const { ask } = await recordingWallet()
  for (const method of ['chain_signTypedData', 'eth_signTypedData', 'eth_signTypedData_v4'])
    for (const data of [dataWith(), JSON.stringify(dataWith())]) {
      const signature = String(await ask(method, ADDRESS_LOWER, data))
      expect(verifyTypedData(domain, types, message, signature)).toBe(ADDRESS)
    }
})

test('the user sees the domain and all values in the order of signing', async () => {
  const { ask, seen } = await recordingWallet()
  await ask('chain_signTypedData', ADDRESS, dataWith())
  expect(seen).toMatchObject([
    {
      account: { address: ADDRESS },
      effect: {
        kind: 'typedData',
        primaryType: 'Invitation',
        domain: [{ name: 'name', value: 'Lighthouse' }, { name: 'version' }, { value: '31337' }, {}],
        message: {
          value: [
            { name: 'guests', value: [{ value: [{ value: 'Grace' }, { name: 'wallet', value: SECOND }] }] },
            { name: 'places', value: '2' },
          ],
        },
      },
    },
  ])
})

test('a domain for another chain is rejected with both chain ids, in any notation', async () => {
  const { ask, shown } = await recordingWallet()
  for (const chainId of [1, '1', '0x1'])
    await expect(ask('chain_signTypedData', ADDRESS, dataWith({ domain: { chainId } }))).rejects.toMatchObject({
      code: -32602,
      message: 'The typed data is for chain 1, but the active chain is 31337',
    })
  expect(shown).toEqual([])
})

test('the chain id may have any notation or be absent', async () => {
  const { ask } = await recordingWallet()
  for (const chainId of [31337, '31337', '0x7a69', undefined])
    expect(await ask('chain_signTypedData', ADDRESS, dataWith({ domain: { chainId } }))).toMatch(/^0x[0-9a-f]{130}$/)
})

test('a domain whose contract is an account of the site is rejected', async () => {
  const { ask, shown } = await recordingWallet()
  for (const verifyingContract of [ADDRESS, ADDRESS_LOWER])
    await expect(
      ask('chain_signTypedData', ADDRESS, dataWith({ domain: { verifyingContract } })),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('domain.verifyingContract is an account of this wallet'),
    })
  expect(shown).toEqual([])
})

test('a domain whose contract is another account of the wallet is rejected, at the latest after the unlock', async () => {
  const { wallet, ask, shown } = await recordingWallet()
  const { address } = await wallet.ui.addAccount({ name: 'Second' })
  const refused = () =>
    ask('chain_signTypedData', ADDRESS, dataWith({ domain: { verifyingContract: address } })).catch(
      ({ reason }) => reason,
    )
  expect(await refused()).toBe('ownVerifyingContract')
  expect(shown).toEqual([])
  await wallet.ui.lock(null)
  const answer = refused()
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(1)
  await wallet.ui.unlock({ password: PASSWORD })
  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
  expect(await answer).toBe('ownVerifyingContract')
})

test('undeclared fields are not signed, and named in a finding', async () => {
  const seen: RequestView[] = []
  const { ask } = await connectedWallet({
    person: request => {
      seen.push(request)
      return approve(request)
    },
  })
  const signature = await ask('chain_signTypedData', ADDRESS, dataWith())
  const more = dataWith({ message: { secretly: 'more' } })
  expect(await ask('chain_signTypedData', ADDRESS, more)).toBe(signature)
  expect(seen[1]?.findings).toContainEqual({ level: 'caution', name: 'undeclaredFields', values: ['message.secretly'] })
  expect(JSON.stringify(seen[1]?.effect)).not.toContain('secretly')
})

test('data that libraries hash differently is rejected with its path without asking the user', async () => {
  const { ask, shown } = await recordingWallet()
  const wrong: [unknown, string][] = [
    [dataWith({ message: { places: '0x1'.padEnd(67, '0') } }), 'message.places'],
    [dataWith({ message: { places: 'two' } }), 'message.places'],
    [dataWith({ message: { places: undefined } }), 'message.places'],
    [{ ...dataWith(), domain: { ...dataWith().domain, more: 1 } }, 'domain'],
    [dataWith({ message: { guests: [{ name: 'Grace', wallet: '0x1' }] } }), 'message.guests[0].wallet'],
    [{ ...dataWith(), primaryType: 'Missing' }, 'primaryType'],
    [{ ...dataWith(), types: { Invitation: [{ name: 'x', type: 'Nothing' }] } }, 'types'],
    [{}, 'domain'],
  ]
  for (const [data, place] of wrong)
    await expect(ask('chain_signTypedData', ADDRESS, data), place).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`^${place.replace(/[[\]]/g, '\\$&')}`)),
    })
  expect(shown).toEqual([])
})

const values = [
  { type: 'string', name: 'Message', value: 'Hi, Alice!' },
  { type: 'uint32', name: 'A number', value: '1337' },
]
const hashOfValues = keccak256(
  concat([
    keccak256(concat(values.map(({ type, name }) => toUtf8Bytes(`${type} ${name}`)))),
    solidityPackedKeccak256(['string', 'uint32'], ['Hi, Alice!', 1337]),
  ]),
)

test('a list of values as the first param is version 1, signed as old sites verify it', async () => {
  const { ask, seen } = await recordingWallet()
  for (const method of ['chain_signTypedData', 'eth_signTypedData'])
    expect(recoverAddress(hashOfValues, String(await ask(method, values, ADDRESS_LOWER)))).toBe(ADDRESS)
  expect(seen[0]).toMatchObject({
    account: { address: ADDRESS },
    effect: {
      kind: 'typedData',
      primaryType: null,
      domain: [],
      message: {
        value: [
          { name: 'Message', value: 'Hi, Alice!' },
          { name: 'A number', value: '1337' },
        ],
      },
    },
    findings: [{ level: 'caution', name: 'oldTypedData' }],
  })
})

test('version 1 is validated as strictly, and requires an account of the site', async () => {
  const { ask, shown } = await recordingWallet()
  for (const list of [[], [null], [{ type: 'uint8', name: 'a', value: '256' }], [{ type: 'string', name: 'a' }]])
    await expect(ask('eth_signTypedData', list, ADDRESS)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^values/),
    })
  for (const params of [[values], [values, 'me'], [values, values]])
    await expect(ask('eth_signTypedData', ...params)).rejects.toMatchObject({ code: -32602 })
  await expect(ask('eth_signTypedData', values, SECOND)).rejects.toMatchObject({ code: 4100 })
  expect(shown).toEqual([])
})

test('hidden characters in the list are a finding', async () => {
  const { ask, seen } = await recordingWallet()
  await ask('eth_signTypedData', [{ type: 'string', name: 'a', value: 'pay \u202e001' }], ADDRESS)
  expect(seen[0]?.findings.map(({ name }) => name)).toEqual(['oldTypedData', 'hiddenCharacters'])
})

test('invalid params are -32602', async () => {
  const { ask } = await recordingWallet()
  for (const params of [[], [ADDRESS], [ADDRESS, 'hello'], [ADDRESS, null], [ADDRESS, []], [dataWith(), ADDRESS]])
    await expect(ask('chain_signTypedData', ...params)).rejects.toMatchObject({ code: -32602 })
})

test('an account that the site may not use is 4100', async () => {
  const { wallet, ask } = await recordingWallet()
  await expect(ask('chain_signTypedData', SECOND, dataWith())).rejects.toMatchObject({ code: 4100 })
  const elsewhere = { id: '1', method: 'chain_signTypedData', params: [ADDRESS, dataWith()] }
  await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 4100 })
})
