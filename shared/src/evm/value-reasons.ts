/**
 * Reasons why a value is rejected. `place` is the path to the value in the input, such as `message.orders[3].price`.
 */
import type { Catalogue } from '../reasons.ts'

/** English texts by reason. `fillIn` inserts an error's values into its text, or into a translation. */
export const valueReasons = {
  // Hex and numbers
  notData: '{place}: {value} is not DATA: 0x and an even number of hex digits',
  wrongByteCount: '{place}: {value} has {bytes} bytes, not {wanted}',
  notSafeInteger: '{place}: {value} is not a safe integer',
  negative: '{place}: {value} is negative',
  notQuantity: '{place}: {value} is not a QUANTITY: 0x and hex digits without leading zeros',
  notHexNumber: '{place}: {value} is not a hex number: 0x and hex digits',
  outOfRange: '{place}: {value} does not fit {type}',
  notAddress: '{place}: {value} is not an address: 0x and 40 hex digits',
  wrongChecksum: '{place}: {value} has a wrong EIP-55 checksum',
  notNameLabel: '{place}: {value} has a label that is empty or longer than 255 bytes',

  // Values in general
  missing: '{place}: is missing',
  notObject: '{place}: {value} is not an object',
  notArray: '{place}: {value} is not an array',
  wrongElementCount: '{place}: {value} does not have {wanted} elements',
  notBoolean: '{place}: {value} is neither true nor false',
  notInteger: '{place}: {value} is not an integer: a number up to 2^53 − 1, or a decimal or 0x string',
  notString: '{place}: {value} is not a string',
  notUnicode: '{place}: {value} is not well-formed Unicode',
  notType: '{place}: {value} is not a type',
  overLimit: '{place}: {value} is over the limit of {limit}',
  tooDeep: '{place}: {value} is nested deeper than {limit} levels',
  textTooLong: '{place}: {value} is longer than {limit} characters',
  notJson: '{place}: {value} is not JSON',

  // Keys and signatures
  notPublicKey: '{place}: {value} is not an uncompressed key: 0x04 and 64 bytes',
  notPrivateKey: 'private key: must be 32 bytes, a number between 1 and n − 1 (n: the order of secp256k1)',
  notBelowOrder: '{place}: {value} is not between 1 and n − 1, where n is the order of secp256k1',
  highS: '{place}: {value} is above n/2: only the low s is accepted',
  notParity: '{place}: {value} is neither 0 nor 1',
  notHash: '{place}: {value} is not a hash of 32 bytes',
  noPublicKey: '{place}: {value} does not belong to any public key',
  notV: '{place}: {value} is not 0, 1, 27 or 28',
  notPrintableName: '{place}: {value} is empty or has control characters',

  // RLP
  notRlpItem: '{place}: {value} at byte {at} is not an RLP item',
  rlpTooShort: '{place}: {value} at byte {at} declares more bytes than remain',
  rlpLeadingZeros: '{place}: {value} at byte {at} encodes its length with leading zeros',
  rlpLongLength: '{place}: {value} at byte {at} encodes its length in more bytes than needed',
  rlpNeedlessPrefix: '{place}: {value} at byte {at} adds a prefix to a byte that needs none',
  trailingBytes: '{place}: {value} have {spare} trailing bytes',
  notList: '{place}: {value} is not a list',
  notByteString: '{place}: {value} is not a byte string',
  wrongSize: '{place}: {value} is not {wanted} bytes long',
  leadingZeros: '{place}: {value} has leading zeros',
  wrongFieldCount: '{place}: {value} does not have {wanted} fields',

  // Proofs
  notTrieNode: '{place}: {value} is not a node of a Merkle Patricia trie',
  wrongTrieHash: '{place}: {value} does not have the hash {wanted}',
  proofIncomplete: '{place}: {value} ends before the key does',
  proofTooLong: '{place}: {value} has nodes after the last one on the path, number {used}',

  // Transactions
  notNonce: '{place}: {value} is not below 2^64 − 1',
  notChainId: '{place}: {value} is not a chain id: they start at 1',
  notTransactionType: '{place}: {value} is not a known transaction type',
  notFieldOfType: '{place}: {value} is given, but {type} transactions have no such field',
  contradicts: '{place}: {value} differs from {other}',
  noRecipient: '{place}: is missing, and so is the data to create a contract',
  noFees: '{place}: is missing, and so are the EIP-1559 fees',
  aboveMaxFee: '{place}: {value} is above maxFeePerGas, {maxFee}',
  noAuthorization: '{place}: {value} contains no authorization',
  noBlob: '{place}: {value} has no blob hash',
  notBlobHash: '{place}: {value} is not a blob hash of version 1',
  wrongLayout: '{place}: {value} does not have the {unsigned} fields of type {type} ({signed} with a signature)',
  notLegacyV: '{place}: {value} is not 27, 28 or 35 + 2 · chain id + y parity',
  notFollowedByList: '{place}: {value} is not followed by a list',
  notSigned: '{place}: {value} is not signed',
  notSidecar: '{place}: {value} is not a sidecar: blobs, commitments and proofs',
  notSidecarVersion: '{place}: {value} is not a known version',
  wrongCommitment: '{place}: {value} does not match the hash in the transaction, {wanted}',

  // Calldata
  tooManyWords: '{place}: {value} words are over the limit for one call',
  pointsOutside: '{place}: {value} points outside the data',
  tooShort: '{place}: {value} is shorter than the required {wanted} bytes',
  wideAddress: '{place}: {value} is wider than an address',
  longerThanType: '{place}: {value} is longer than {type}',
  notUtf8: '{place}: {value} is not UTF-8',
  notPadding: '{place}: {value} is not zero padding',
  otherOffset: '{place}: {value} is not the expected offset, {wanted}',
  leftOver: '{place}: {value} is left over after the last argument',
  notParameter: '{place}: {value} is not a type and a name',
  notFunction: '{place}: {value} is not a function: name(type name, …)',

  // Typed data
  notStruct: '{place}: {value} is not an object of type {type}',
  notOfType: '{place}: {value} is not a value of type {type}',
  aliasType: '{place}: {value} is an alias that implementations hash differently: write {type}',
  unknownType: '{place}: {value} is neither a built-in type nor defined in types',
  reservedName: '{place}: {value} is a reserved name',
  notName: '{place}: {value} is not a name: a letter, then letters, digits and _, at most {limit} characters',
  notField: '{place}: {value} is not a field: an object with name and type',
  notTypeName: '{place}: {value} is not a type: text of at most {limit} characters',
  builtInName: '{place}: {value} is the name of a built-in type',
  notFields: '{place}: {value} is not an array of fields',
  repeatedName: '{place}: {value} is the name of two fields',
  colonInName: '{place}: {value} has a colon; if there are other types, implementations hash it differently',
  notDomainField:
    '{place}: {value} is not a domain field of EIP-712: name, version, chainId (an integer), verifyingContract or salt',
  unsignedField: '{place}: {value} is not a field of {type} and would not be signed',
  unsignedMember: '{place}: {value} would not be signed',
  notPrimaryType: '{place}: {value} is not the name of a struct in types',
  notInVersion3: '{place}: {value} is not supported in version 3',
  arrayInVersion3: '{place}: {value} is an array, which version 3 does not support',
} as const satisfies Catalogue
