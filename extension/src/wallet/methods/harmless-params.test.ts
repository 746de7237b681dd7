/**
 * Extra params that pages send and wallets ignore: an account, a block, a library's options. Also null members, which
 * libraries in other languages write instead of omitting them.
 */
import { Wallet as Signer } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, FIRST_KEY, NOW, recordingWallet, reject, SECOND, startNode } from '../wallet.fixture.ts'

const TOKEN = `0x${'ab'.repeat(20)}`
const transaction = { from: ADDRESS, to: SECOND, value: '0x1' }
const data = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], M: [{ name: 'a', type: 'string' }] },
  primaryType: 'M',
  domain: { name: 'X' },
  message: { a: 'x' },
}
const added = {
  chainId: '0x89',
  chainName: 'Polygon',
  rpcUrls: ['https://rpc.example/'],
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
}
const batch = { version: '2.0.0', chainId: '0x7a69', atomicRequired: false, calls: [{ to: SECOND, value: '0x1' }] }
const signed = await new Signer(FIRST_KEY).signTransaction({
  to: SECOND,
  chainId: 31337,
  gasLimit: 21_000,
  gasPrice: 1,
  nonce: 0,
})
const signature = await new Signer(FIRST_KEY).signMessage('hello')

/** Typical params for each method whose params the wallet parses. */
const usual: readonly [method: string, ...params: unknown[]][] = [
  ['eth_accounts'],
  ['eth_chainId'],
  ['eth_coinbase'],
  ['eth_requestAccounts'],
  ['net_version'],
  ['web3_clientVersion'],
  ['web3_sha3', '0x1234'],
  ['personal_ecRecover', 'hello', signature],
  ['personal_sign', 'hello', ADDRESS],
  ['eth_sign', ADDRESS, 'hello'],
  ['eth_signTypedData', [{ type: 'string', name: 'a', value: 'x' }], ADDRESS],
  ['eth_signTypedData', ADDRESS, data],
  ['eth_signTypedData_v3', ADDRESS, JSON.stringify(data)],
  ['eth_signTypedData_v4', ADDRESS, JSON.stringify(data)],
  ['eth_sendTransaction', transaction],
  ['eth_signTransaction', transaction],
  ['eth_sendRawTransaction', signed],
  ['eth_unsubscribe', '0x1'],
  ['eth_uninstallFilter', '0x1'],
  ['wallet_addEthereumChain', added],
  ['wallet_switchEthereumChain', { chainId: '0x1' }],
  ['wallet_watchAsset', { type: 'ERC20', options: { address: TOKEN, symbol: 'ORE', decimals: 6 } }],
  ['wallet_getPermissions'],
  ['wallet_requestPermissions', { eth_accounts: {} }],
  ['wallet_revokePermissions', { eth_accounts: {} }],
  ['wallet_getCapabilities', ADDRESS, ['0x1']],
  ['wallet_getCallsStatus', 'unknown'],
  ['wallet_sendCalls', batch],
]
const extras: readonly unknown[] = [null, ADDRESS, 'latest', '0x', 7, true, {}, [], transaction, data, added]

const TRANSACTION = ['data', 'input', 'gas', 'gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce']
const TRANSACTION_TYPES = ['chainId', 'type', 'accessList', 'authorizationList', 'blobVersionedHashes', 'unknown']

/** Optional members of the first param, by method. */
const optional: Readonly<Record<string, readonly string[]>> = {
  eth_sendTransaction: [...TRANSACTION, ...TRANSACTION_TYPES],
  eth_signTransaction: [...TRANSACTION, ...TRANSACTION_TYPES],
  wallet_addEthereumChain: ['blockExplorerUrls', 'iconUrls', 'unknown'],
  wallet_switchEthereumChain: ['rpcUrls', 'unknown'],
  wallet_watchAsset: ['id', 'unknown'],
  wallet_requestPermissions: ['endowment:permitted-chains', 'unknown'],
  wallet_sendCalls: ['id', 'from', 'capabilities', 'unknown'],
}

/** Milliseconds after which the wallet asks the user again, even if the site was rejected often. */
const AGAIN = 61_000

/** Makes requests that the user rejects. Returns the answer or error, and what was shown. */
const start = async (method: string) => {
  let time = NOW
  const { ask, seen } = await recordingWallet({ chain: startNode().chain, person: reject, now: () => time })
  return async (...params: readonly unknown[]) => {
    time += AGAIN
    const answer = await ask(method, ...params).catch(({ code, message }) => ({ code, message }))
    const shown = seen.splice(0).map(({ account, effect, findings }) => ({ account, effect, findings }))
    return { answer, shown }
  }
}

test.each(usual)('%s ignores extra params', async (method, ...params) => {
  const outcomeOf = await start(method)
  const expected = await outcomeOf(...params)
  expect(expected.answer).not.toMatchObject({ code: -32602 })
  for (const extra of extras) expect(await outcomeOf(...params, extra), JSON.stringify(extra)).toEqual(expected)
  expect(await outcomeOf(...params, ...extras)).toEqual(expected)
})

test.each(usual.filter(([method]) => optional[method]))('%s treats null as absent', async (method, ...params) => {
  const outcomeOf = await start(method)
  const expected = await outcomeOf(...params)
  const withNull = (names: readonly string[]) =>
    params.map(param =>
      typeof param === 'object' ? { ...Object.fromEntries(names.map(name => [name, null])), ...param } : param,
    )
  const names = optional[method] ?? []
  for (const name of names) expect(await outcomeOf(...withNull([name])), name).toEqual(expected)
  expect(await outcomeOf(...withNull(names))).toEqual(expected)
})
