/** Proofs of accounts and storage (EIP-1186) that anvil serves, against the state roots in its blocks. */
import { Contract, Interface, type JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashCode, readAccountProof, readStorageProof } from '../../shared/src/evm/account-proof.ts'
import { toAddress } from '../../shared/src/evm/address.ts'
import type { Hex } from '../../shared/src/evm/hex.ts'
import { addressNamed } from '../fuzz/world.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'

const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const COIN = addressNamed('coin')
const NOBODY = addressNamed('nobody')

type Proof = { accountProof: Hex[]; storageProof: { key: Hex; value: Hex; proof: Hex[] }[]; storageHash: Hex }

let anvil: Anvil
let chain: JsonRpcProvider

beforeAll(async () => {
  anvil = await startAnvil()
  chain = openChain(anvil.url)
  await chain.send('anvil_setCode', [COIN, compileContracts('support/contracts').get('Coin')])
  const coin = new Contract(COIN, new Interface(['function mint(address,uint256)']), await chain.getSigner(OWNER))
  await coin.getFunction('mint')(OWNER, 12_345n)
  await chain.send('eth_sendTransaction', [{ from: OWNER, to: addressNamed('friend'), value: '0x64' }])
})
afterAll(async () => {
  chain?.destroy()
  await anvil?.stop()
})

const proofOf = async (address: string, slots: readonly string[] = []): Promise<Proof & { root: Hex }> => {
  const { number, stateRoot } = await chain.send('eth_getBlockByNumber', ['latest', false])
  return { ...(await chain.send('eth_getProof', [address, slots, number])), root: stateRoot }
}

test.each([OWNER, addressNamed('friend'), COIN, NOBODY])("the node's answers about %s are proved", async address => {
  const { root, accountProof } = await proofOf(address)
  const state = readAccountProof(root, toAddress(address), accountProof)
  expect(state.balance).toBe(await chain.getBalance(address))
  expect(state.nonce).toBe(BigInt(await chain.getTransactionCount(address)))
  expect(state.codeHash).toBe(hashCode((await chain.getCode(address)) as Hex))
})

test("a contract's storage is proved, used and unused slots", async () => {
  const slots = Array.from({ length: 4 }, (_, slot) => `0x${slot.toString(16).padStart(64, '0')}`)
  const { root, accountProof, storageProof } = await proofOf(COIN, slots)
  const { storageRoot } = readAccountProof(root, toAddress(COIN), accountProof)
  for (const [slot, { value, proof }] of storageProof.entries())
    expect(readStorageProof(storageRoot, BigInt(slot), proof)).toBe(BigInt(value))
})

test("one account's proof proves nothing about another, and none proves an old state", async () => {
  const { root, accountProof } = await proofOf(OWNER)
  expect(() => readAccountProof(root, toAddress(addressNamed('friend')), accountProof)).toThrow()
  await chain.send('eth_sendTransaction', [{ from: OWNER, to: NOBODY, value: '0x1' }])
  const later = await proofOf(OWNER)
  expect(() => readAccountProof(root, toAddress(OWNER), later.accountProof)).toThrow(/does not have the hash/)
})
