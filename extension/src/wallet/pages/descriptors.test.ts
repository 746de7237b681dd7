import { parseFunction } from '@heliograph/shared/evm/abi'
import { expect, test } from 'vitest'
import type { Effect } from '../../messages.ts'
import { MAX_DESCRIPTORS_SIZE } from '../descriptors/descriptor.ts'
import { approveDescriptor, CHAIN, PERMIT, permitDescriptor, TOKEN } from '../descriptors/descriptors.fixture.ts'
import { ADDRESS, createdWallet, NOW, recordingWallet, SECOND, startNode } from '../wallet.fixture.ts'

const APPROVE = 'approve(address spender,uint256 value)'
const json = JSON.stringify([approveDescriptor, permitDescriptor])
const fileName = 'words.json'
const word = (value: bigint | number | string) => BigInt(value).toString(16).padStart(64, '0')
const allowance = `0x095ea7b3${word(SECOND)}${word(2n ** 256n - 1n)}`

/** Creates a wallet whose downloads get these responses by URL. */
const downloading = async (answers: Record<string, string | null> = {}) => {
  const asked: string[] = []
  const download = async (url: string) => {
    asked.push(url)
    const answer = answers[url]
    if (answer === undefined) throw new Error('no such host')
    return answer === null ? null : new Uint8Array(new TextEncoder().encode(answer))
  }
  const { wallet } = await createdWallet({ download })
  return { ui: wallet.ui, asked }
}

test("a file's descriptors are added, listed newest first, and removed", async () => {
  const { ui, asked } = await downloading()
  expect(await ui.addDescriptors({ json, fileName: ' words.json ' })).toBe(2)
  const listed = await ui.getDescriptors(null)
  expect(listed).toEqual([
    expect.objectContaining({ formats: [PERMIT] }),
    {
      id: expect.stringMatching(/^0x[\da-f]{16}$/),
      source: fileName,
      owner: 'Coin Maker',
      addedAt: NOW,
      contracts: [{ chainId: CHAIN, address: TOKEN }],
      formats: [APPROVE],
    },
  ])
  await ui.removeDescriptor({ id: listed[0]?.id ?? '' })
  expect(await ui.getDescriptors(null)).toEqual(listed.slice(1))
  expect(asked).toEqual([])
})

test('a host is contacted once, and only for the URL that the user entered', async () => {
  const { ui, asked } = await downloading({ 'https://words.example:8443/all.json': json })
  expect(await ui.downloadDescriptors({ url: ' https://words.example:8443/all.json' })).toBe(2)
  expect((await ui.getDescriptors(null)).map(({ source }) => source)).toEqual([
    'words.example:8443',
    'words.example:8443',
  ])
  expect(asked).toEqual(['https://words.example:8443/all.json'])
})

test.each([
  ['', 'Enter a URL that starts with https://'],
  ['words.example', 'Enter a URL that starts with https://'],
  ['http://words.example/', 'Enter a URL that starts with https://'],
  ['https://name:secret@words.example/', 'Enter a URL that starts with https://'],
  ['data:application/json,{}', 'Enter a URL that starts with https://'],
  ['https://silent.example/', 'No file could be downloaded from silent.example.'],
  ['https://long.example/', `descriptors: longer than ${MAX_DESCRIPTORS_SIZE} bytes`],
  ['https://page.example/', 'descriptors: "<html>" is not JSON'],
])('the URL %s adds nothing', async (url, error) => {
  const { ui } = await downloading({ 'https://long.example/': null, 'https://page.example/': '<html>' })
  await expect(ui.downloadDescriptors({ url })).rejects.toThrow(error)
  expect(await ui.getDescriptors(null)).toEqual([])
})

test('a locked wallet does not list or change descriptors, or contact a host', async () => {
  const { ui, asked } = await downloading()
  await ui.lock(null)
  for (const doing of [
    () => ui.getDescriptors(null),
    () => ui.addDescriptors({ json, fileName }),
    () => ui.downloadDescriptors({ url: 'https://words.example/' }),
    () => ui.removeDescriptor({ id: '0x' }),
  ])
    await expect(doing()).rejects.toMatchObject({ code: 4100 })
  expect(asked).toEqual([])
})

const explainedOf = (effect: Effect | undefined) =>
  effect?.kind === 'transaction' || effect?.kind === 'typedData' ? effect.explained : undefined

test('a dangerous allowance that a descriptor calls harmless keeps its findings and its acts', async () => {
  const { ask, seen, wallet } = await recordingWallet({ chain: startNode().chain })
  const send = async (data: string) => {
    await ask('eth_sendTransaction', { from: ADDRESS, to: TOKEN, data })
    return seen.at(-1)
  }
  const before = await send(allowance)
  const harmless = { intent: 'Harmless login', fields: [{ value: '0', label: 'Risk', format: 'raw' }] }
  const lie = { ...approveDescriptor, display: { formats: { [APPROVE]: harmless } } }
  await wallet.ui.addDescriptors({ json: JSON.stringify(lie), fileName })
  const after = await send(allowance)
  expect(explainedOf(before?.effect)).toBeUndefined()
  expect(explainedOf(after?.effect)).toEqual({
    owner: 'Coin Maker',
    source: fileName,
    intent: 'Harmless login',
    fields: [{ label: 'Risk', value: { kind: 'text', text: '0' } }],
  })
  const factsOf = (request: typeof before) => {
    if (request?.effect.kind !== 'transaction') throw new Error('no transaction was shown')
    const { acts, call } = request.effect
    return { acts, call, findings: request.findings }
  }
  expect(factsOf(after)).toEqual(factsOf(before))
  expect(before?.findings.some(({ level, name }) => level === 'danger' && name === 'unlimitedAllowance')).toBe(true)

  const padded = await send(`${allowance}00`)
  expect(explainedOf(padded?.effect)).toBeUndefined()
  expect(padded?.findings).toContainEqual({ level: 'caution', name: 'unusualEncoding', values: [] })
})

test('the arguments of a function that only a descriptor has are checked too', async () => {
  const { ask, seen, wallet } = await recordingWallet({ chain: startNode().chain })
  const stake = { ...approveDescriptor, display: { formats: { 'stake(bytes data)': { intent: 'Stake', fields: [] } } } }
  await wallet.ui.addDescriptors({ json: JSON.stringify(stake), fileName })
  const namesFor = async (words: string) => {
    await ask('eth_sendTransaction', {
      from: ADDRESS,
      to: TOKEN,
      data: `${parseFunction('stake(bytes x)').selector}${words}`,
    })
    return { names: seen.at(-1)?.findings.map(({ name }) => name), explained: explainedOf(seen.at(-1)?.effect) }
  }
  const good = `${word(32)}${word(0)}`
  expect(await namesFor(good)).toMatchObject({ explained: { intent: 'Stake' } })
  const padded = await namesFor(`${good}00`)
  expect(padded).toEqual({ names: expect.arrayContaining(['unknownCall', 'unusualEncoding']), explained: undefined })
  const broken = await namesFor('f'.repeat(64))
  expect(broken).toEqual({ names: expect.arrayContaining(['unknownCall', 'malformedCall']), explained: undefined })
})

test('calls in a batch and typed data are explained', async () => {
  const { ask, seen, wallet } = await recordingWallet({ chain: startNode().chain })
  await wallet.ui.addDescriptors({ json, fileName })
  const calls = [
    { to: SECOND, value: '0x1' },
    { to: TOKEN, data: allowance },
  ]
  await ask('wallet_sendCalls', { version: '2.0.0', chainId: '0x7a69', from: ADDRESS, atomicRequired: false, calls })
  const { effect } = seen.at(-1) ?? {}
  expect(effect?.kind === 'calls' && effect.calls.map(({ explained }) => explained?.intent)).toEqual([
    undefined,
    'Approve',
  ])

  const fields = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256']
  const Permit = fields.map(field => ({ name: field.split(' ')[0], type: field.split(' ')[1] }))
  const domain = { name: 'Coin', version: '2', chainId: CHAIN, verifyingContract: TOKEN }
  const message = { owner: ADDRESS, spender: SECOND, value: '1', nonce: 0, deadline: 60 }
  await ask(
    'eth_signTypedData_v4',
    ADDRESS,
    JSON.stringify({ types: { Permit }, primaryType: 'Permit', domain, message }),
  )
  expect(explainedOf(seen.at(-1)?.effect)?.intent).toBe('Authorize spending')
})
