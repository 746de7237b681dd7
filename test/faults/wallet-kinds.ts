/** Every kind of request that a site can make, with the number of windows it opens and transactions it sends. */
import { Wallet } from 'ethers'
import { ADDRESS, ADDRESS_LOWER, FIRST_KEY, SECOND } from '../../extension/src/wallet/wallet.fixture.ts'

export type Kind = {
  name: string
  request: { method: string; params?: unknown }
  windows: number
  transactions: number
}

const transfer = { from: ADDRESS_LOWER, to: SECOND, value: '0x1' }
const typedData = {
  types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { chainId: 31337 },
  message: { text: 'hello' },
}
const calls = [transfer, transfer].map(({ to, value }) => ({ to, value }))
const network = {
  chainId: '0x539',
  chainName: 'Another chain',
  nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
  rpcUrls: ['https://rpc.example'],
}

/** A transaction that another tool signed with this key. */
const RAW = await new Wallet(FIRST_KEY).signTransaction({
  ...transfer,
  from: ADDRESS,
  nonce: 0,
  gasLimit: 21_000,
  gasPrice: 1_000,
  chainId: 31337,
})

export const kinds: readonly Kind[] = [
  { name: 'connect', request: { method: 'eth_requestAccounts' }, windows: 1, transactions: 0 },
  {
    name: 'personal_sign',
    request: { method: 'personal_sign', params: ['0x1234', ADDRESS] },
    windows: 1,
    transactions: 0,
  },
  {
    name: 'typed data',
    request: { method: 'eth_signTypedData_v4', params: [ADDRESS, JSON.stringify(typedData)] },
    windows: 1,
    transactions: 0,
  },
  {
    name: 'sendTransaction',
    request: { method: 'eth_sendTransaction', params: [transfer] },
    windows: 1,
    transactions: 1,
  },
  {
    name: 'signTransaction',
    request: { method: 'eth_signTransaction', params: [transfer] },
    windows: 1,
    transactions: 0,
  },
  {
    name: 'sendRawTransaction',
    request: { method: 'eth_sendRawTransaction', params: [RAW] },
    windows: 0,
    transactions: 1,
  },
  {
    name: 'sendCalls',
    request: {
      method: 'wallet_sendCalls',
      params: [{ version: '2.0.0', id: 'batch', from: ADDRESS, chainId: '0x7a69', atomicRequired: false, calls }],
    },
    windows: 1,
    transactions: 2,
  },
  {
    name: 'sendCalls together',
    request: {
      method: 'wallet_sendCalls',
      params: [{ version: '2.0.0', id: 'batch', from: ADDRESS, chainId: '0x7a69', atomicRequired: true, calls }],
    },
    windows: 1,
    transactions: 1,
  },
  {
    name: 'add a chain',
    request: { method: 'wallet_addEthereumChain', params: [network] },
    windows: 1,
    transactions: 0,
  },
  {
    name: 'switch the chain',
    request: { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2019' }] },
    windows: 1,
    transactions: 0,
  },
  {
    name: 'watchAsset',
    request: {
      method: 'wallet_watchAsset',
      params: { type: 'ERC20', options: { address: SECOND, symbol: 'TOK', decimals: 18 } },
    },
    windows: 1,
    transactions: 0,
  },
]
