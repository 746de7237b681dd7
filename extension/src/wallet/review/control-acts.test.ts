import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { readCall } from './call.ts'

const CONTRACT = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const THIRD = '0x253d832c2719B1f7078A453d5a35a1a509C2ED81'
const ZERO = `0x${'0'.repeat(40)}`
const WORD = `0x${'0'.repeat(64)}`

const controls = (signature: string, ...args: unknown[]) => {
  const abi = new Interface([`function ${signature}`])
  const data = abi.encodeFunctionData(signature.slice(0, signature.indexOf('(')), args) as Hex
  const { acts } = readCall({ from: ADDRESS, to: CONTRACT, data })
  expect(acts).not.toContainEqual(expect.objectContaining({ kind: 'call', readable: false }))
  return acts.flatMap(act => (act.kind === 'control' ? [{ right: act.right, of: act.of, to: act.to }] : []))
}

const sig = [0, WORD, WORD]

test.each<[string, string, unknown[]]>([
  ['owner', 'transferOwnership(address)', [SECOND]],
  ['owner', 'setOwner(address)', [SECOND]],
  ['owner', 'addOwnerAddress(address)', [SECOND]],
  ['admin', 'setAuthority(address)', [SECOND]],
  ['admin', 'changeAdmin(address)', [SECOND]],
  ['admin', 'beginDefaultAdminTransfer(address)', [SECOND]],
  ['role', 'grantRole(bytes32,address)', [WORD, SECOND]],
  ['role', 'addMinter(address)', [SECOND]],
  ['upgrade', 'upgradeTo(address)', [SECOND]],
  ['upgrade', 'upgradeToAndCall(address,bytes)', [SECOND, '0x']],
  ['name', 'setOwner(bytes32,address)', [WORD, SECOND]],
  ['name', 'setSubnodeOwner(bytes32,bytes32,address)', [WORD, WORD, SECOND]],
  ['name', 'setSubnodeOwner(bytes32,string,address,uint32,uint64)', [WORD, 'a', SECOND, 0, 0]],
  ['name', 'reclaim(uint256,address)', [1, SECOND]],
  ['name', 'approve(bytes32,address,bool)', [WORD, SECOND, true]],
  ['name', 'setResolver(bytes32,address)', [WORD, SECOND]],
  ['safeOwner', 'addOwnerWithThreshold(address,uint256)', [SECOND, 1]],
  ['safeOwner', 'swapOwner(address,address,address)', [THIRD, ADDRESS, SECOND]],
  ['safeModule', 'enableModule(address)', [SECOND]],
  ['safeGuard', 'setGuard(address)', [SECOND]],
  ['safeGuard', 'setModuleGuard(address)', [SECOND]],
  ['safeHandler', 'setFallbackHandler(address)', [SECOND]],
  ['module', 'installModule(uint256,address,bytes)', [1, SECOND, '0x']],
  ['module', 'changeRootValidator(bytes21,address,bytes,bytes)', [`0x01${SECOND.slice(2)}`, ZERO, '0x', '0x']],
  ['manager', 'allow(address,bool)', [SECOND, true]],
  [
    'manager',
    'allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)',
    [ADDRESS, SECOND, true, 0, 9, ...sig],
  ],
  ['manager', 'setAuthorization(address,bool)', [SECOND, true]],
  [
    'manager',
    'setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))',
    [[ADDRESS, SECOND, true, 0, 9], sig],
  ],
  ['manager', 'hope(address)', [SECOND]],
  ['manager', 'setRelayerApproval(address,address,bool)', [ADDRESS, SECOND, true]],
  ['manager', 'approvePlugin(address)', [SECOND]],
  ['manager', 'setAccountOperator(address,address,bool)', [ADDRESS, SECOND, true]],
  ['manager', 'setOperator(bytes19,address,uint256)', [`0x${'11'.repeat(19)}`, SECOND, 1]],
  ['credit', 'approveDelegation(address,uint256)', [SECOND, 5]],
  [
    'credit',
    'delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    [ADDRESS, SECOND, 5, 9, ...sig],
  ],
])('%s: %s gives the right to the named party', (right, signature, args) => {
  expect(controls(signature, ...args)).toEqual([{ right, of: CONTRACT, to: SECOND }])
})

test('the admin of a proxy controls the proxy that it names', () => {
  for (const [right, signature, ...more] of [
    ['upgrade', 'upgrade(address,address)'],
    ['upgrade', 'upgradeAndCall(address,address,bytes)', '0x'],
    ['admin', 'changeProxyAdmin(address,address)'],
  ] as const)
    expect(controls(signature, THIRD, SECOND, ...more)).toEqual([{ right, of: THIRD, to: SECOND }])
})

test.each<[string, string, unknown[]]>([
  ['owner', 'renounceOwnership()', []],
  ['owner', 'transferOwnership(address)', [ZERO]],
  ['role', 'renounceRole(bytes32,address)', [WORD, ADDRESS]],
  ['safeOwner', 'removeOwner(address,address,uint256)', [THIRD, SECOND, 1]],
  ['safeThreshold', 'changeThreshold(uint256)', [1]],
  ['owner', 'addOwnerPublicKey(bytes32,bytes32)', [WORD, WORD]],
])('%s: %s names no party', (right, signature, args) => {
  expect(controls(signature, ...args)).toEqual([{ right, of: CONTRACT, to: null }])
})

test.each<[string, unknown[]]>([
  ['setGuard(address)', [ZERO]],
  ['setFallbackHandler(address)', [ZERO]],
  ['disableModule(address,address)', [THIRD, SECOND]],
  ['allow(address,bool)', [SECOND, false]],
  ['setAuthorization(address,bool)', [SECOND, false]],
  ['approveDelegation(address,uint256)', [SECOND, 0]],
  ['nope(address)', [SECOND]],
  ['setRelayerApproval(address,address,bool)', [ADDRESS, SECOND, false]],
  ['setOperator(bytes19,address,uint256)', [`0x${'11'.repeat(19)}`, SECOND, 0]],
  ['setAddrPrivilege(address,bytes32)', [SECOND, WORD]],
  ['approve(bytes32,address,bool)', [WORD, SECOND, false]],
])('%s revokes a right', (signature, args) => {
  expect(controls(signature, ...args)).toEqual([])
})

test("a diamond gets its facets' code, and runs the code of its initialization", () => {
  const cut = [
    [SECOND, 0, ['0x12345678']],
    [SECOND, 1, ['0x12345679']],
  ]
  const signature = 'diamondCut((address,uint8,bytes4[])[],address,bytes)'
  expect(controls(signature, cut, THIRD, '0x')).toEqual([
    { right: 'upgrade', of: CONTRACT, to: SECOND },
    { right: 'code', of: CONTRACT, to: THIRD },
  ])
  expect(controls(signature, [[ZERO, 2, ['0x12345678']]], ZERO, '0x')).toEqual([
    { right: 'upgrade', of: CONTRACT, to: null },
  ])
})

test("a Safe's setup names its owners, its handler, and code that runs once", () => {
  const setup = 'setup(address[],uint256,address,bytes,address,address,uint256,address)'
  expect(controls(setup, [ADDRESS, SECOND], 1, THIRD, '0x', THIRD, ZERO, 0, ZERO)).toEqual([
    { right: 'safeOwner', of: CONTRACT, to: ADDRESS },
    { right: 'safeOwner', of: CONTRACT, to: SECOND },
    { right: 'code', of: CONTRACT, to: THIRD },
    { right: 'safeHandler', of: CONTRACT, to: THIRD },
  ])
})

test("a name's record has an owner and a resolver", () => {
  expect(controls('setRecord(bytes32,address,address,uint64)', WORD, SECOND, THIRD, 0)).toEqual([
    { right: 'name', of: CONTRACT, to: SECOND },
    { right: 'name', of: CONTRACT, to: THIRD },
  ])
})
