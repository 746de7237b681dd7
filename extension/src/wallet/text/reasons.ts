/**
 * Reasons why the wallet refuses something, with English texts for sites and peers. The wallet's pages use the
 * translations in `_locales`, as `error_<reason>`; `npm test -- test/house/errors.test.ts -u` writes the English ones
 * there.
 */
import { valueReasons } from '@heliograph/shared/evm/value-reasons'
import type { Catalogue } from '@heliograph/shared/reasons'
import { linkReasons, messageReasons, paramReasons, proposalReasons } from '@heliograph/shared/wire/reasons'

/** Reasons named after their error code. */
const codeReasons = {
  internal: 'Something went wrong in the wallet. Try again.',
  methodNotFound: 'Method not found',
  userRejected: 'The request was rejected',
} as const satisfies Catalogue

const walletReasons = {
  // The vault
  noWallet: 'There is no wallet yet. Set one up, then try again.',
  walletExists: 'A wallet already exists.',
  locked: 'The wallet is locked',
  unlockFirst: 'Unlock the wallet first',
  recordUnreadable:
    'The stored record “{name}” could not be read, so it was not changed. Restart the browser and try again.',
  wrongPassword: 'The password is incorrect.',
  shortPassword: 'The password needs at least {least} characters',
  commonPassword:
    'This password is one of the most common and easy to guess. Choose another one, such as four unrelated words.',
  vaultTruncated:
    'The vault file is incomplete. Nothing was changed. Restore its last good copy, or restore the wallet from its phrase.',
  vaultCorrupted:
    'The vault file is damaged. Nothing was changed. Restore its last good copy, or restore the wallet from its phrase.',
  vaultNewer: 'The vault was written by a newer version of this wallet. Nothing was changed. Update the wallet.',
  dataNewer:
    'This data was written by a newer version of Heliograph ({version}). Nothing was changed. Update Heliograph to open it.',
  vaultCost: 'The vault file requires a key derivation that this wallet does not accept. Nothing was changed.',
  vaultIntact: 'The vault file is intact. There is nothing to restore.',
  passkeyForm: 'The passkey returned data of an unexpected form. Try again, or use the password.',
  passkeyUnknown: 'This passkey does not open this wallet. Use the password.',
  passkeyDamaged: 'The stored data of this passkey is damaged. Unlock with the password, which repairs it.',
  passkeyNameLength: "A passkey's name must have 1 to {most} characters",
  passkeyExists: 'The wallet already has this passkey.',
  tooManyPasskeys: 'A wallet can have at most {limit} passkeys. Remove one first.',
  passkeyGone: 'The wallet no longer has this passkey.',
  autoLockRange: 'Choose {least} to {most} minutes until the wallet locks.',
  busy: 'Another operation is still in progress',

  // Keys and accounts
  accountNameLength: 'An account name must have 1 to {most} characters',
  notKeyDigits: 'A private key must have 64 hex digits',
  notDerivationPath: 'A path for accounts must have the form {form}',
  notPhrase: 'That is not a recovery phrase: check the words and their order',
  noPhrase: 'The wallet has no phrase from which to derive an account. Create or import one first.',
  tooManyAtOnce: 'At most {limit} entries can be handled at once',
  phraseGone: 'The wallet no longer has this phrase.',
  phraseExists: 'The wallet already has this phrase',
  accountExists: 'The wallet already has this account',
  tooManyAccounts: 'A wallet can have at most {limit} accounts',
  lastAccount: "You can't remove your last account.",
  unknownAccount: 'The wallet has no account {address}',
  watchOnly: 'The account {address} is watch-only: its key is not in this wallet',
  keystoreNotJson: 'That is not a keystore file: it is not JSON',
  keystoreUnreadable: 'This is not a valid version 3 keystore file: check {place}',
  keystoreTooLong: 'A keystore file can have at most {limit} characters',
  keystoreTooCostly: 'The keystore requires a key derivation that is more expensive than this wallet accepts',
  keystoreOtherKey: 'The key in the keystore does not belong to the address in the file',
  wrongKeystorePassword: 'The keystore password is incorrect, or the file is damaged',

  // Backups
  backupForeign: 'This is not a backup file of Heliograph. Nothing was changed.',
  backupTruncated: 'The backup file is incomplete: its end is missing. Nothing was changed. Copy the file again.',
  backupChanged: 'The backup file is damaged or was changed. Nothing was changed in the wallet. Use another copy.',
  backupNewer: 'The backup was saved by a newer version of Heliograph. Nothing was changed. Update Heliograph.',
  backupCost: 'The backup file requires a key derivation that this wallet does not accept. Nothing was changed.',
  backupPassword:
    'The password of the backup file is incorrect. If you are sure of it, the file was changed. Nothing was changed in the wallet.',
  backupTooLarge: 'The file is larger than {limit} MiB, which no backup is. Nothing was changed.',
  backupTooMany: 'The backup has more than {limit} entries. Nothing was changed.',
  backupOtherKey: 'The phrase does not belong to the accounts in the file',
  backupLaxer: 'This makes the wallet less strict. Take it over only if you want that.',

  // Networks and their nodes
  unknownNetwork: "Chain {chainId} is not among the wallet's networks",
  noNetwork: 'The wallet has no network',
  builtInNetwork: 'Chain {chainId} is a built-in network and cannot be changed.',
  currencyNotOffered: 'No chosen node has a price feed for {currency}',
  noRpcUrl: "{network} has no node yet. Choose one in the wallet's settings.",
  nodeUnreachable: 'Cannot reach the {network} node',
  nodeRateLimited:
    'The {network} node does not accept more requests at the moment. Try again later, or use another node.',
  nodeNotJsonRpc: 'The {network} node sent a response that the wallet cannot read. Check the URL of the node.',
  nodeUnreadable: 'The {network} node {node} answered {method} with {answer}, which the wallet cannot read',
  nodeNoLogs: 'The {network} node returns no logs: {text}',
  nodeAnswered: 'The node answered: {text}',
  notRpcUrl: 'A node URL must start with http:// or https:// and must not contain a user name',
  tooManyNodes: 'A network can have at most {limit} nodes',
  firstNodeReads:
    'The first node reads for all accounts without a node of their own. Change the use of {node} before it is tried first.',
  accountNeedsReading: 'The account {address} has a node of its own for sending only. Choose one for reading too.',
  nodeGone: '{network} no longer has this node',
  nodesApart: 'This request names accounts that use different nodes on {network}, so no node may see it',
  notInCatalogue: 'Chain {chainId} is not in the catalogue',
  notExplorerUrl: 'A block explorer URL must start with http:// or https://',
  networkExists: 'The wallet already has this network',
  fileNodeForm: 'Only https nodes, and http nodes on this computer, are imported from a file. Enter others by hand.',
  rpcOtherChain: 'This node reports chain {reported}, not {wanted}. Nothing was saved.',
  rpcOtherChainAsked: 'The node reports chain {reported}, not {wanted}. Nothing was added.',
  notChainIdNumber: 'The chain id must be a whole number above 0.',
  networkTitleForm: 'The name must have 1 to {most} visible characters.',
  networkSymbolForm: 'The symbol must have 1 to {most} visible characters.',
  networkPrefixForm: 'The method prefix must be 1 to 16 lower-case letters or digits.',
  networkMessageNameForm: 'The name in signed messages must have 1 to {most} visible characters.',

  // Tokens and collectibles
  notGateway: 'A gateway URL must start with http:// or https:// and must not contain a user name',
  noToken: 'There is no token at this address on this network',
  tokenSymbolForm: 'The symbol must have 1 to {most} visible characters.',
  tokenDecimalsForm: 'The number of decimals must be a whole number from 0 to {most}.',
  tokenOtherSymbol: "The contract's symbol is {told}, not {asked}",
  tokenOtherDecimals: "The contract's number of decimals is {told}, not {asked}",
  tokenWithoutMetadata: 'Neither the site nor the contract gives a symbol and decimals that can be shown',

  // ENS names
  notEnsName:
    'This is not a valid ENS name. It contains characters that ENS does not allow, or mixes scripts as imitations do.',
  noEthereumNode:
    'ENS names are looked up on Ethereum, and you have not chosen an Ethereum node. Choose one, or enter an address.',
  nameWithoutAddress: 'The name {name} does not resolve to an address. Check its spelling.',
  nameOnlyOnEthereum:
    'The name {name} has no address on {network}, and its address on Ethereum is a contract, which may not exist on {network}. Ask the recipient for an address.',
  nameOffChain:
    'The name {name} is stored off-chain, at {hosts}. To look it up, the wallet would contact these hosts, which learn the name and your IP address. Allow this in the security settings, or enter an address.',
  lookupRefused: 'This name is stored off-chain in a way that the wallet does not support. Enter an address.',
  gatewayRefused: 'The host {host}, which stores this name, refused to answer (HTTP {status}).',
  gatewaysSilent: 'The hosts that store this name gave no usable answer: {hosts}',

  // Recipients
  addressShort:
    '{place}: {value} is not an address: it has {digits} digits after 0x instead of 40. Missing: {missing}.',
  addressLong: '{place}: not an address: it has {digits} digits after 0x instead of 40. Too many: {spare}.',
  addressShortened: 'This address is shortened: the digits in its middle are missing. Copy the whole address.',
  addressOfOtherNetwork:
    'This address is for {other} (chain {chainId}), not for {network}. Choose that network, or ask the recipient for an address on {network}.',
  addressOfOtherChain:
    'This address is for the network with chain id {chainId}, not for {network}. Ask the recipient for an address on {network}.',
  unknownShortName: 'The network {name} in front of this address is unknown. Ask the recipient for the network.',
  paymentAmount: 'The amount {value} in this payment link cannot be read. Enter the address and the amount yourself.',
  paymentFunction:
    'This link calls the contract function {value}. Here you can only send coins and tokens. Open the link in the app that created it.',

  // Contacts and contract interfaces
  contactNameForm: 'A name must have 1 to {most} visible characters.',
  ownContact: 'This is the address of your own account {name}',
  ownAccountName: 'One of your accounts is already called {name}. Choose another name.',
  contactExists: 'Your contact {name} already has this address',
  contactNameTaken: 'Another contact is already called {name}. Choose another name.',
  tooManyContacts: 'You already have {limit} contacts',
  interfaceNameForm: 'The name must have 1 to {most} visible characters.',
  interfaceExists: 'These functions have already been added for this contract.',
  tooManyInterfaces: 'You already have {limit} contract interfaces. Remove one first.',
  interfacesTooLong: 'Together, the contract interfaces would have over {limit} characters. Remove one first.',
  notAbi: '{place}: {value} is not an ABI, or a file with one in "abi"',
  notAbiName: '{place}: {value} is not a name',
  notAbiParameter: '{place}: {value} is not a parameter',
  emptyTuple: '{place}: {value} is empty',
  noFunction: '{place}: {value} has no function',
  tooManyFunctions: '{place}: {value} has more than {limit} functions',

  // Descriptors
  notDescriptor: '{place}: {value} is not valid here in an ERC-7730 descriptor',
  descriptorTooLong: '{place}: longer than {limit} bytes',
  descriptorIncludes: '{place}: the descriptor needs another file, {value}. Load a file that contains everything.',
  noDeployments: '{place}: no contract is named with its chain id and address',
  noFormats: '{place}: no explanation has a format that this wallet can read',
  tooManyInFile: '{place}: more than {limit} descriptors',
  tooManyDescriptors: 'There would be more than {limit} descriptors. Remove some first.',
  descriptorsTooLong: 'All descriptors together would be longer than {limit} bytes. Remove some first.',
  descriptorsExist: 'Everything in this file has already been added.',
  notDescriptorUrl: 'Enter a URL that starts with https:// and does not contain a user name.',
  descriptorUnreachable: 'No file could be downloaded from {host}.',

  // Transactions
  transactionOtherChain: 'The transaction is for chain {asked}, but the active chain is {active}',
  typedDataOtherChain: 'The typed data is for chain {asked}, but the active chain is {active}',
  notAmount: 'amount: {value} is not a 256-bit amount',
  nonceUsed: 'The nonce {nonce} has already been used: the next one is {next}',
  blocked: 'A check blocks this request. Read the warnings.',
  tooManyPending: 'This account already has {limit} pending or unsent transactions',
  pendingTooLarge:
    'The pending and unsent transactions together would be longer than {limit} characters. Wait until some are confirmed, or discard unsent ones.',
  activityTooLarge:
    'The records of pending and unsent transactions together would be longer than {limit} characters. Wait until some are confirmed, or discard unsent ones.',
  activityFull: 'This account already has {limit} transactions on this network',
  activityCleared: 'The activity was cleared before the transaction was sent',
  transactionGone: 'The wallet no longer keeps this transaction.',
  notUnsent: 'This transaction is not waiting to be sent',
  notPending: 'The transaction is no longer pending',
  notSpeedable: 'Only a pending transaction can be sped up.',
  replacementTooCheap: '{place}: a replacement must pay at least {least} wei per gas',
  feesJumped:
    "The network now demands more than {times} times the transaction's previous price. Choose the fee yourself.",
  sendingUnsure: 'The {network} node did not confirm that it accepted the transaction {hash}. It may still be mined.',
  rawNotSigned: 'The transaction is not signed',
  signedBefore: 'The transaction has already been signed, and its bytes are no longer stored',
  feesIncomplete: 'fees: needs maxFeePerGas and maxPriorityFeePerGas',
  noDelegation: 'The account has no delegation',
  delegationEnding: 'The transaction {hash} is already removing the delegation.',
  delegationUnsupported: '{network} does not support delegation.',
  accountBusy: 'The account has pending transactions. Wait until they are confirmed.',
  payerTooPoor: 'The paying account does not have enough for the fee',

  // Panics of Solidity
  panicAssertion: 'An assertion failed',
  panicOverflow: 'Arithmetic overflow or underflow',
  panicDivision: 'Division by zero',
  panicEnum: 'Conversion to an invalid enum value',
  panicStorage: 'Incorrectly encoded data in storage',
  panicPop: 'Removal from an empty array',
  panicIndex: 'Array index out of bounds',
  panicMemory: 'Too much memory allocated',
  panicFunction: 'Call of an uninitialized function',

  // Requests
  opaqueOrigin: 'A page without an origin of its own cannot use the wallet',
  unknownMethod: 'The method {method} does not exist here',
  unsupportedMethod: 'This wallet does not support this method',
  requestTooLong: '{place}: longer than {limit} characters',
  notConnected: 'This site is not connected: call eth_requestAccounts first',
  accountNotGiven: 'This site has no permission for the account {address}',
  nodeIsPrivate:
    "The {network} node is on this computer or on a private network, so only connected sites can read from it. Connect with eth_requestAccounts, or allow it for this site in the wallet's list of sites.",
  rejectedOften: 'Requests from this site were rejected several times. Try again in {seconds} s.',
  undecidedInTime: 'The request was not decided in time',
  siteDisconnected: 'The site was disconnected',
  siteBlocked: 'The user rejects all requests from this site',
  cancelled: 'Cancelled',
  tooManyOfTab: 'This tab already has {limit} pending requests',
  strangersTooLarge: 'With this request, the pending requests of unconnected sites would be too large',
  tooManyOfSite: 'This site already has {limit} pending requests',
  siteTooLarge: 'With this request, the pending requests of this site would exceed {limit} bytes',
  allTooLarge: 'With this request, the pending requests of all sites would exceed {limit} bytes',
  alreadyWaiting: 'A {method} request is already pending',
  queueFull: 'This site already has {limit} queued requests',
  requestChanged: 'The request has changed since it was shown. Review it again.',
  requestGone: 'This request is no longer open, or nothing in it can be changed.',
  requestDecided: 'The request has already been decided',
  requestExpired: 'This request has expired.',
  noAccountPicked: 'No account was selected',
  draftTooLarge: 'A stored form can have up to {fields} fields and {limit} characters',
  notSite: 'A site must be an origin: https:// and a host',
  paramNot: '{place}: must be {wanted}',
  ambiguousMessage: 'params: both are accounts of the site, so it is unclear which one is the message',
  ownVerifyingContract: 'domain.verifyingContract is an account of this wallet, not a contract',
  messageForOther: 'The message signs in to {named}, but the request comes from {origin}',
  unreadableData: 'The wallet does not sign data that is not readable text',
  filterNotFound: 'filter not found',
  otherPermission: 'The only supported permission is {permission}',
  unsupportedCapability: 'The capability {name} is not supported',
  callsForOtherChain: 'The request is for chain {asked}, but its calls are for chain {calls}',
  duplicateCalls: 'A batch of calls with this id already exists',
  unknownCalls: 'There is no batch of calls with this id',
  tooManyCalls: 'A batch can have at most {limit} calls, not {calls}',
  upgradeRejected: 'The upgrade of the account was rejected',
  notAtomic: 'The calls would be sent one after the other, not atomically',
  noCalls: 'calls: must have a call',
  onlyFeesOfBatch: 'Only the fees of a batch can be changed',
  noEvents: 'This page cannot receive events',
  tooManySubscriptions: 'A site can have at most {limit} subscriptions',
  tooManyStrangersSubscriptions: 'All unconnected sites together can have at most {limit} subscriptions',
  tooManySubscriptionsOfAll: 'All sites together can have at most {limit} subscriptions',

  // Remote sessions
  linkOtherProtocol: 'The link is for a relay with another protocol',
  linkExpired: 'The link has expired. Create a new one in the other app.',
  linkUsed: 'The link has already been used. Create a new one in the other app.',
  tooManyPairings: 'A wallet can have at most {limit} pairings',
  tooManySessions: 'A wallet can have at most {limit} sessions',
  pairingOver: 'The pairing of this proposal has ended',
  proposalGone: 'This proposal no longer exists',
  sessionGone: 'This session no longer exists',
  notRelayUrl: 'A relay URL must start with ws:// or wss:// and must not contain a user name',
  noRelay: 'The wallet has no relay. Add one first.',
  unknownRelay: "This relay is not in the wallet's list. Add it first.",
  tooManyRelays: 'A wallet can have at most {limit} relays',
  relayInUse: 'Sessions are using this relay. Disconnect them first.',
  relayUnreachable: 'The relay could not be reached.',
  relaySilent: 'The relay did not answer.',
  relayClosed: 'The relay closed the connection (code {code}).',
  relayClosedSaying: 'The relay closed the connection ({text}).',
  relayAnswered: 'The relay refused: {text}',
  notOffered: 'The choice {value} is not available here',
  tooManyProposals: 'This pairing already has {limit} pending proposals',
  tooManyOfSession: 'This session already has {limit} pending requests',
  sessionTooLarge: 'With this request, the pending requests of this session would be too long',
  answerTooLarge: 'The response would exceed {limit} bytes',
  notX25519: 'params.proposer.publicKey: is not an X25519 public key',
  noCommonProtocol: 'params.relays: must offer the protocol {protocol}',
  unsupportedChains: 'The app asks for networks that this wallet does not have: {names}',
  unsupportedMethods: 'The app asks for methods that this wallet does not have: {names}',
  unsupportedEvents: 'The app asks for events that this wallet does not have: {names}',
  unsupportedNamespaceKey: 'The app asks for network types that this wallet does not support: {names}',
  chainKeyWithOthers: '{key}: a key that is a chain must not list other chains',
  notChainsOfKey: '{key}: must be chains of the namespace, such as eip155:1',
  notNamespaceKey: '{key}: must be a namespace or a chain, such as eip155 or eip155:1',
  namespaceIncomplete: '{key}: must have chains, methods and events',
  notMethodNames: '{key}.methods: must be a list of names',
  notEventNames: '{key}.events: must be a list of names',
  tooManyNamespaces: 'must be an object of at most {limit} namespaces',
  noSessionAccounts: 'must be a list of at least one EIP-155 account',
  userRejectedChains: 'The app requires these networks: {names}',
  userRejectedMethods: 'The app requires these methods: {names}',
  userRejectedEvents: 'The app requires these events: {names}',
  unauthorizedMethod: 'The method is not part of this session',
  unauthorizedChain: 'The chain is not part of this session',
  unauthorizedExtend: 'the user has chosen when this session ends',
  unauthorizedUpdate: 'only the wallet can change the permissions of a session',
  unauthorizedEvent: 'only the wallet can send events',
  invalidSettle: 'the session is already settled',
  methodUnsupported: '{method} is not available in remote sessions',
} as const satisfies Catalogue

/** All reasons that the wallet uses: its own reasons, and the reasons of shared code. */
export const reasons = {
  ...codeReasons,
  ...valueReasons,
  ...paramReasons,
  ...proposalReasons,
  ...messageReasons,
  ...linkReasons,
  ...walletReasons,
} as const satisfies Catalogue

export type Reason = keyof typeof reasons
