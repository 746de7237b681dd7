/** Control that a call grants. The parameter names are explained in `control-functions.ts`. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { ControlAct, Right } from '../../messages.ts'
import {
  type Arguments,
  find,
  levelsOf,
  type Made,
  partsOf,
  partyOf,
  structsOf,
  textOf,
  ZERO,
} from './call-arguments.ts'

/** Right that a call gives to each parameter named `controller`. */
const GIVEN: Readonly<Record<string, Right>> = {
  'transferOwnership(address)': 'owner',
  'setOwner(address)': 'owner',
  'setPendingOwner(address)': 'owner',
  'changeOwner(address)': 'owner',
  'addOwner(address)': 'owner',
  'addOwnerAddress(address)': 'owner',
  'give(uint256,address)': 'owner',
  'setAddrPrivilege(address,bytes32)': 'owner',
  'setAuthority(address)': 'admin',
  'rely(address)': 'admin',
  'changeAdmin(address)': 'admin',
  'setAdmin(address)': 'admin',
  'setPendingAdmin(address)': 'admin',
  'transferAdmin(address)': 'admin',
  'beginDefaultAdminTransfer(address)': 'admin',
  'changeProxyAdmin(address,address)': 'admin',
  'grantRole(bytes32,address)': 'role',
  'addMinter(address)': 'role',
  'setMinter(address)': 'role',
  'upgradeTo(address)': 'upgrade',
  'upgradeToAndCall(address,bytes)': 'upgrade',
  'upgrade(address,address)': 'upgrade',
  'upgradeAndCall(address,address,bytes)': 'upgrade',
  'setImplementation(address)': 'upgrade',
  'updateImplementation(address)': 'upgrade',
  'changeMasterCopy(address)': 'upgrade',
  'setOwner(bytes32,address)': 'name',
  'setRecord(bytes32,address,address,uint64)': 'name',
  'setSubnodeOwner(bytes32,bytes32,address)': 'name',
  'setSubnodeRecord(bytes32,bytes32,address,address,uint64)': 'name',
  'setResolver(bytes32,address)': 'name',
  'reclaim(uint256,address)': 'name',
  'setSubnodeOwner(bytes32,string,address,uint32,uint64)': 'name',
  'setSubnodeRecord(bytes32,string,address,address,uint64,uint32,uint64)': 'name',
  'wrap(bytes,address,address)': 'name',
  'wrapETH2LD(string,address,uint16,address)': 'name',
  'unwrap(bytes32,bytes32,address)': 'name',
  'unwrapETH2LD(bytes32,address,address)': 'name',
  'approve(bytes32,address,bool)': 'name',
  'addOwnerWithThreshold(address,uint256)': 'safeOwner',
  'swapOwner(address,address,address)': 'safeOwner',
  'enableModule(address)': 'safeModule',
  'setGuard(address)': 'safeGuard',
  'setModuleGuard(address)': 'safeGuard',
  'setFallbackHandler(address)': 'safeHandler',
  'installModule(uint256,address,bytes)': 'module',
  'setupAndEnableModule(address,bytes)': 'module',
  'allow(address,bool)': 'manager',
  'allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)': 'manager',
  'setAuthorization(address,bool)': 'manager',
  'setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))': 'manager',
  'hope(address)': 'manager',
  'cdpAllow(uint256,address,uint256)': 'manager',
  'urnAllow(address,uint256)': 'manager',
  'setRelayerApproval(address,address,bool)': 'manager',
  'approvePlugin(address)': 'manager',
  'setAccountOperator(address,address,bool)': 'manager',
  'setOperator(bytes19,address,uint256)': 'manager',
  'approveDelegation(address,uint256)': 'credit',
  'delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)': 'credit',
}

/** Rights that are revoked by giving them to the zero address. */
const ENDED_BY_ZERO: readonly Right[] = ['safeGuard', 'safeHandler', 'safeModule', 'module', 'manager', 'credit']

/** Calls that give up or change a right, or give it to a holder without an address, such as a public key. */
const GIVEN_TO_NONE: Readonly<Record<string, Right>> = {
  'renounceOwnership()': 'owner',
  'renounceRole(bytes32,address)': 'role',
  'removeOwner(address,address,uint256)': 'safeOwner',
  'changeThreshold(uint256)': 'safeThreshold',
  'addOwnerPublicKey(bytes32,bytes32)': 'owner',
}

const control = (right: Right, of: string, holder: string): ControlAct[] => {
  if (!ZERO.test(holder)) return [{ kind: 'control', right, of, to: holder }]
  return ENDED_BY_ZERO.includes(right) ? [] : [{ kind: 'control', right, of, to: null }]
}

/** True for a `value` of zero. The value of a right can be an amount, a bit field or a word. */
const isNothing = (value: string) => /^(?:0|0x0+)$/.test(value)
const isEnding = (level: Arguments): boolean =>
  textOf(level, 'allowed') === 'false' || isNothing(textOf(level, 'value'))

const given = (right: Right, { call, to }: Made): ControlAct[] =>
  levelsOf(call.args)
    .filter(level => !isEnding(level))
    .flatMap(level => {
      const of = textOf(level, 'controlled') || to
      return level
        .filter(({ name }) => name === 'controller')
        .flatMap(argument => control(right, of, partyOf(argument) ?? ''))
    })

const partiesIn = (args: Arguments, name: string): string[] =>
  partsOf(args, name).flatMap(argument => partyOf(argument) ?? [])

const SAFE_SETUP = 'setup(address[],uint256,address,bytes,address,address,uint256,address)'
/** Reads a new Safe's setup: its first owners, the code that runs once as the Safe, and its handler. */
const setUp = ({ call: { args }, to }: Made): ControlAct[] => [
  ...partiesIn(args, 'owners').flatMap(owner => control('safeOwner', to, owner)),
  ...(ZERO.test(textOf(args, 'target')) ? [] : control('code', to, textOf(args, 'target'))),
  ...control('safeHandler', to, textOf(args, 'fallbackHandler')),
]

/** Reads a diamond cut (ERC-2535): the code that the diamond gets, and the code that runs once as the diamond. */
const cut = ({ call: { args }, to }: Made): ControlAct[] => {
  const facets = structsOf(args, 'diamondCut').map(facet => textOf(facet, 'facetAddress'))
  const init = textOf(args, 'init')
  return [
    ...[...new Set(facets)].flatMap(facet => control('upgrade', to, facet)),
    ...(ZERO.test(init) ? [] : control('code', to, init)),
  ]
}

/** Returns the last 20 bytes of a module's id, which starts with the module's type. */
const moduleIn = (id: string): string => (id.length === ID_LENGTH ? toAddress(`0x${id.slice(-40)}`) : '')
const ID_LENGTH = 44

const READERS: Readonly<Record<string, (made: Made) => ControlAct[]>> = {
  'diamondCut((address,uint8,bytes4[])[],address,bytes)': cut,
  'changeRootValidator(bytes21,address,bytes,bytes)': ({ call, to }) =>
    control('module', to, moduleIn(textOf(call.args, 'validator'))),
  'installValidations(bytes21[],(uint32,address)[],bytes[],bytes[])': ({ call, to }) =>
    partsOf(call.args, 'validators').flatMap(({ value }) => control('module', to, moduleIn(String(value)))),
  [SAFE_SETUP]: setUp,
  'updateOwners(address[],address[])': ({ call, to }) => [
    ...partiesIn(call.args, 'owners').flatMap(owner => control('owner', to, owner)),
    ...(partsOf(call.args, 'removed').length > 0 ? control('owner', to, `0x${'0'.repeat(40)}`) : []),
  ],
  // A new resolver decides where payments to the name go. With the zero address, the name has no resolver.
  'setRecord(bytes32,address,address,uint64)': made => [...given('name', made), ...resolver(made)],
  'setSubnodeRecord(bytes32,bytes32,address,address,uint64)': made => [...given('name', made), ...resolver(made)],
  'setSubnodeRecord(bytes32,string,address,address,uint64,uint32,uint64)': made => [
    ...given('name', made),
    ...resolver(made),
  ],
}

const resolver = ({ call: { args }, to }: Made): ControlAct[] => {
  const named = find(args, 'resolver')
  const address = named && partyOf(named)
  return address === undefined || ZERO.test(address) ? [] : control('name', to, address)
}

/** Returns the control that the call grants. Empty for other calls, and for calls that only revoke a right. */
export const controlOfCall = (made: Made): ControlAct[] => {
  const { signature } = made.call
  if (Object.hasOwn(READERS, signature)) return READERS[signature]?.(made) ?? []
  const right = Object.hasOwn(GIVEN, signature) ? GIVEN[signature] : undefined
  if (right !== undefined) return given(right, made)
  const none = Object.hasOwn(GIVEN_TO_NONE, signature) ? GIVEN_TO_NONE[signature] : undefined
  return none === undefined ? [] : [{ kind: 'control', right: none, of: made.to, to: null }]
}
