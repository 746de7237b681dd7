/**
 * The interface document's node methods, row by row, against the page's provider, the wallet without a browser, and a
 * real chain. ethers and the chain verify signatures and transactions, never the project's own code.
 */
import {
  concat,
  type JsonRpcProvider,
  keccak256,
  recoverAddress,
  Transaction,
  TypedDataEncoder,
  toUtf8Bytes,
  verifyMessage,
  verifyTypedData,
} from 'ethers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ADDRESS, PASSWORD, SITE } from '../../extension/src/wallet/wallet.fixture.ts'
import { type Headless, startHeadless } from '../libraries/headless.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('../faults/stopping-browser.ts'))

const ACCOUNT = ADDRESS.toLowerCase()
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Creation code that deploys ten bytes of code. The deployed contract returns 42. */
const INIT_CODE = '0x600a600c600039600a6000f3602a60005260206000f3'
const TEXT = 'héliographe ☀'
const MESSAGE = `0x${Buffer.from(TEXT).toString('hex')}`
const DATA = /^0x([0-9a-f]{2})+$/
const INVALID_PARAMS = -32602

const LOCAL = 31337
const KAIA = 8217

let kaia: Anvil
let wallet: Headless
let chain: JsonRpcProvider

beforeAll(async () => {
  kaia = await startAnvil({ chainId: KAIA })
  wallet = await startHeadless({ [KAIA]: kaia.url })
  chain = wallet.chain
  await ask('eth_requestAccounts', [])
})
afterAll(async () => {
  await wallet?.stop()
  await kaia?.stop()
})

const request = (method: string, params?: unknown) => wallet.provider.request({ method, params })
/** Returns the result of a call that the user approves. */
const ask = async (method: string, params: unknown) => {
  const { result, shown } = await wallet.deciding('approve', () => request(method, params))
  expect(shown, method).toHaveLength(1)
  return result
}
/** Returns the result of a call for which the wallet shows nothing to the user. */
const read = async (method: string, params?: unknown) => {
  const { result, shown } = await wallet.deciding('reject', () => request(method, params))
  expect(shown, method).toEqual([])
  return result
}
/** Returns the error code of a call that shows no request. */
const codeOf = (method: string, params: unknown) => read(method, params).catch(({ code }) => code)

const typedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Mail',
    version: '1',
    chainId: 31337,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: { from: { name: 'Cow', wallet: ADDRESS }, to: { name: 'Bob', wallet: OTHER }, contents: TEXT },
}
const { EIP712Domain: _, ...structs } = typedData.types

describe('§2 Resources: value types of node methods', () => {
  test('«DATA | hex string with 0x prefix carrying bytes»: an odd number of digits is rejected', async () => {
    expect(await codeOf('personal_sign', ['0xabc', ACCOUNT])).toBe(INVALID_PARAMS)
  })

  test('«DATA, 20 Bytes | account address»: other lengths are rejected', async () => {
    expect(await codeOf('chain_sign', [ACCOUNT.slice(0, -2), MESSAGE])).toBe(INVALID_PARAMS)
  })

  test('«QUANTITY | integer, written as a 0x-prefixed hex string»: decimals and numbers are rejected', async () => {
    for (const value of ['1', 1, '1x0', '-0x1', '0xg', '0x1 '])
      expect(await codeOf('chain_sendTransaction', [{ from: ACCOUNT, to: OTHER, value }]), String(value)).toBe(
        INVALID_PARAMS,
      )
  })
})

describe('§2 Resources: transaction object', () => {
  test('«from | yes»: a transaction without from is rejected', async () => {
    expect(await codeOf('chain_sendTransaction', [{ to: OTHER, data: '0x' }])).toBe(INVALID_PARAMS)
  })

  test('«to | optional when a contract is created»: without code it is required', async () => {
    expect(await codeOf('chain_sendTransaction', [{ from: ACCOUNT, data: '0x' }])).toBe(INVALID_PARAMS)
  })

  test('«gas | gas provided for execution», «gasPrice | price per unit of gas paid», «value»: signed as given', async () => {
    const asked = { from: ACCOUNT, to: OTHER, data: '0xabcd', gas: '0x7a120', gasPrice: '0x77359400', value: '0x2a' }
    const signed = Transaction.from(String(await ask('chain_signTransaction', [asked])))
    expect(signed).toMatchObject({
      gasLimit: 500_000n,
      gasPrice: 2_000_000_000n,
      value: 42n,
      data: '0xabcd',
      to: OTHER,
    })
  })

  test('«gas | default 90000»: used where gas cannot be estimated', async () => {
    const reverts = '0x60006000fd'
    const signed = Transaction.from(String(await ask('chain_signTransaction', [{ from: ACCOUNT, data: reverts }])))
    expect(signed.gasLimit).toBe(90_000n)
  })

  test('«nonce | allows overwriting the caller’s own pending transaction with the same nonce»', async () => {
    await chain.send('evm_setAutomine', [false])
    onTestFinished(() => chain.send('evm_setAutomine', [true]))
    const nonce = await chain.getTransactionCount(ADDRESS)
    const transfer = (value: string, gasPrice: string) => ({
      from: ACCOUNT,
      to: OTHER,
      data: '0x',
      value,
      gasPrice,
      nonce: `0x${nonce.toString(16)}`,
    })
    const first = String(await ask('chain_sendTransaction', [transfer('0x1', '0x77359400')]))
    const second = String(await ask('chain_sendTransaction', [transfer('0x2', '0xee6b2800')]))
    await chain.send('evm_mine', [])
    await chain.send('evm_setAutomine', [true])
    expect((await chain.getTransactionReceipt(second))?.status).toBe(1)
    expect(await chain.getTransactionReceipt(first)).toBeNull()
  })
})

describe('§2 Resources: typed-data message', () => {
  test('«types», «primaryType», «domain», «message»: each is required', async () => {
    for (const part of Object.keys(typedData)) {
      const { [part as keyof typeof typedData]: _part, ...rest } = typedData
      expect(await codeOf('chain_signTypedData', [ACCOUNT, rest]), part).toBe(INVALID_PARAMS)
    }
  })

  test('«message | object whose fields follow the primary type»: other fields are not signed', async () => {
    const message = { ...typedData.message, more: '1' }
    const signature = await ask('chain_signTypedData', [ACCOUNT, { ...typedData, message }])
    expect(signature).toBe(await ask('chain_signTypedData', [ACCOUNT, typedData]))
  })
})

describe('§4.1 Node methods: signature scheme', () => {
  test('«\\x19<network name> Signed Message:\\n followed by the length of the message and then the message», Ethereum', async () => {
    const signature = String(await ask('chain_sign', [ACCOUNT, MESSAGE]))
    const length = Buffer.from(TEXT).length
    const hash = keccak256(concat([toUtf8Bytes(`\x19Ethereum Signed Message:\n${length}`), MESSAGE]))
    expect(recoverAddress(hash, signature)).toBe(ADDRESS)
  })

  test('«network name»: another network signs with its own name and prefix', async () => {
    await wallet.ui.selectNetwork({ chainId: KAIA })
    onTestFinished(() => wallet.ui.selectNetwork({ chainId: LOCAL }).then(() => undefined))
    const signature = String(await ask('klay_sign', [ACCOUNT, MESSAGE]))
    const hash = keccak256(concat([toUtf8Bytes(`\x19Klaytn Signed Message:\n${Buffer.from(TEXT).length}`), MESSAGE]))
    expect(recoverAddress(hash, signature)).toBe(ADDRESS)
    expect(verifyMessage(TEXT, String(await ask('personal_sign', [MESSAGE, ACCOUNT])))).toBe(ADDRESS)
    await wallet.ui.selectNetwork({ chainId: LOCAL })
    expect(await codeOf('klay_sign', [ACCOUNT, MESSAGE])).toBe(-32601)
  })

  test('«prevents an application from obtaining a signature over arbitrary data such as a transaction»: a 32-byte message is prefixed too', async () => {
    const digest = keccak256('0x01')
    const signature = String(await ask('chain_sign', [ACCOUNT, digest]))
    expect(recoverAddress(digest, signature)).not.toBe(ADDRESS)
    expect(verifyMessage(Buffer.from(digest.slice(2), 'hex'), signature)).toBe(ADDRESS)
  })

  test('«A separate recover operation verifies such a signature»', async () => {
    const signature = await ask('personal_sign', [MESSAGE, ACCOUNT])
    expect(await read('personal_ecRecover', [MESSAGE, signature])).toBe(ACCOUNT)
  })
})

describe('§4.1 Node methods: table', () => {
  test('«personal_sign | 1. message; 2. account | DATA: signature»', async () => {
    const signature = String(await ask('personal_sign', [MESSAGE, ACCOUNT]))
    expect(signature).toMatch(DATA)
    expect(verifyMessage(TEXT, signature)).toBe(ADDRESS)
  })

  test('«chain_sign | 1. account; 2. message | DATA: signature», and as eth_sign', async () => {
    const signature = String(await ask('chain_sign', [ACCOUNT, MESSAGE]))
    expect(signature).toMatch(DATA)
    expect(signature).toBe(await chain.send('eth_sign', [ADDRESS, MESSAGE]))
    expect(await ask('eth_sign', [ACCOUNT, MESSAGE])).toBe(signature)
  })

  test('«chain_signTypedData | 1. account; 2. typed-data message | DATA: signature»', async () => {
    const signature = String(await ask('chain_signTypedData', [ACCOUNT, typedData]))
    expect(signature).toMatch(DATA)
    expect(verifyTypedData(typedData.domain, structs, typedData.message, signature)).toBe(ADDRESS)
    const payload = TypedDataEncoder.getPayload(typedData.domain, structs, typedData.message)
    expect(signature).toBe(await chain.send('eth_signTypedData_v4', [ADDRESS, payload]))
  })

  test('«chain_sendTransaction | 1. transaction object | DATA, 32 bytes: transaction hash»', async () => {
    const hash = String(await ask('chain_sendTransaction', [{ from: ACCOUNT, to: OTHER, data: '0x', value: '0x1' }]))
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect((await chain.getTransactionReceipt(hash))?.status).toBe(1)
  })

  test('«chain_signTransaction | DATA: the signed transaction data; it can later be submitted with chain_sendRawTransaction»', async () => {
    const raw = String(await ask('chain_signTransaction', [{ from: ACCOUNT, to: OTHER, data: '0x', value: '0x1' }]))
    expect(raw).toMatch(DATA)
    const { from, hash } = Transaction.from(raw)
    expect(from).toBe(ADDRESS)
    expect(await chain.getTransaction(String(hash))).toBeNull()
    expect(await read('chain_sendRawTransaction', [raw])).toBe(hash)
    expect((await chain.getTransactionReceipt(String(hash)))?.status).toBe(1)
  })

  test('«chain_sendRawTransaction | 1. DATA: signed transaction data»: other data is rejected', async () => {
    for (const raw of ['0x', '0x1234', 'garbage', MESSAGE])
      expect(await codeOf('chain_sendRawTransaction', [raw]), raw).toBe(INVALID_PARAMS)
  })
})

describe('§4.1 Node methods: rules', () => {
  test('rule 1 «personal_sign takes message first, chain_sign and chain_signTypedData take account first»', async () => {
    const signature = await ask('personal_sign', [MESSAGE, ACCOUNT])
    expect(await ask('chain_sign', [ACCOUNT, MESSAGE])).toBe(signature)
    expect(await codeOf('chain_sign', [MESSAGE, ACCOUNT])).toBe(INVALID_PARAMS)
    expect(await codeOf('chain_signTypedData', [typedData, ACCOUNT])).toBe(INVALID_PARAMS)
  })

  test('rule 2 and §5 «require the signing address to be unlocked»: a locked wallet asks for the password, then to approve', async () => {
    await wallet.ui.lock(null)
    onTestFinished(() => wallet.ui.unlock({ password: PASSWORD }).then(() => undefined))
    const { opened } = wallet.outside
    const asked = ask('chain_sign', [ACCOUNT, MESSAGE])
    await expect.poll(() => wallet.outside.opened).toBe(opened + 1)
    const { phase, requests, waiting } = await wallet.ui.getState(null)
    expect({ phase, requests, waiting }).toMatchObject({ phase: 'locked', requests: [], waiting: [{ origin: SITE }] })
    await wallet.ui.unlock({ password: PASSWORD })
    expect(verifyMessage(TEXT, String(await asked))).toBe(ADDRESS)
  })

  test('rule 3 «a contract is created; the contract address is then read from the transaction receipt»', async () => {
    const hash = String(await ask('chain_sendTransaction', [{ from: ACCOUNT, data: INIT_CODE }]))
    expect((await chain.getTransactionReceipt(hash))?.status).toBe(1)
    const receipt = (await read('chain_getTransactionReceipt', [hash])) as { contractAddress: string }
    expect(await chain.getCode(receipt.contractAddress)).toBe('0x602a60005260206000f3')
  })

  test('rule 4 «Requests carry id; the response repeats the same id»: concurrent requests each get their own response', async () => {
    const names = ['eth_chainId', 'net_version', 'eth_accounts', 'chain_blockNumber', 'eth_chainId']
    const answers = await Promise.all(names.map(name => read(name)))
    expect(answers).toEqual(['0x7a69', '31337', [ACCOUNT], expect.stringMatching(/^0x[0-9a-f]+$/), '0x7a69'])
  })
})
