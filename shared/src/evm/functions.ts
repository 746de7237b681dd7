/** Signatures of the contract functions that the wallet decodes. */
import { controlFunctions } from './control-functions.ts'
import { exchangeFunctions } from './exchange-functions.ts'
import { protocolFunctions } from './protocol-functions.ts'

/**
 * Add a line to decode another function. The review of a call relies on parameter names:
 *
 * - `value` is the amount of a transfer or an allowance. It is a token id if an ERC-721 contract is called, because
 *   ERC-721 shares `approve` and `transferFrom` with ERC-20.
 * - `beneficiary` receives the call's proceeds, on the chain `destinationChainId` if there is one.
 * - `tokenIn` and `amountIn` are taken from the caller, or from `from`.
 */
export const functions: readonly string[] = [
  // ERC-20 https://eips.ethereum.org/EIPS/eip-20, with the common functions that increase or decrease an allowance
  'transfer(address to, uint256 value)',
  'approve(address spender, uint256 value)',
  'transferFrom(address from, address to, uint256 value)',
  'increaseAllowance(address spender, uint256 value)',
  'decreaseAllowance(address spender, uint256 value)',
  'increaseApproval(address spender, uint256 value)',
  'decreaseApproval(address spender, uint256 value)',
  // ERC-1363 https://eips.ethereum.org/EIPS/eip-1363 and ERC-677
  'approveAndCall(address spender, uint256 value)',
  'approveAndCall(address spender, uint256 value, bytes data)',
  'transferAndCall(address to, uint256 value)',
  'transferAndCall(address to, uint256 value, bytes data)',
  'transferFromAndCall(address from, address to, uint256 value)',
  'transferFromAndCall(address from, address to, uint256 value, bytes data)',
  // ERC-777 https://eips.ethereum.org/EIPS/eip-777
  'send(address to, uint256 value, bytes data)',
  'operatorSend(address from, address to, uint256 value, bytes data, bytes operatorData)',
  'authorizeOperator(address operator)',
  'revokeOperator(address operator)',
  // ERC-3009 https://eips.ethereum.org/EIPS/eip-3009
  'transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  // ERC-2612 https://eips.ethereum.org/EIPS/eip-2612, DAI's permit, and NFT permits (ERC-4494, Uniswap's positions)
  'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  'permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'permit(address spender, uint256 tokenId, uint256 deadline, bytes signature)',
  'permit(address spender, uint256 tokenId, uint256 deadline, uint256 nonce, bytes signature)',
  'permitForAll(address owner, address operator, bool approved, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'permitForAll(address owner, address operator, bool approved, uint256 deadline, uint256 nonce, bytes signature)',
  // Permits whose spender is the called contract: Uniswap's periphery
  'selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'selfPermitAllowed(address token, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)',
  'selfPermitAllowedIfNecessary(address token, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)',
  // ERC-721 https://eips.ethereum.org/EIPS/eip-721 and ERC-1155 https://eips.ethereum.org/EIPS/eip-1155
  'setApprovalForAll(address operator, bool approved)',
  'safeTransferFrom(address from, address to, uint256 tokenId)',
  'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  // ERC-6909 https://eips.ethereum.org/EIPS/eip-6909
  'setOperator(address operator, bool approved)',
  'approve(address spender, uint256 id, uint256 value)',
  'transfer(address to, uint256 id, uint256 value)',
  'transferFrom(address from, address to, uint256 id, uint256 value)',
  // CryptoPunks
  'transferPunk(address to, uint256 punkIndex)',
  'offerPunkForSale(uint256 punkIndex, uint256 minSalePrice)',
  'offerPunkForSaleToAddress(uint256 punkIndex, uint256 minSalePrice, address toAddress)',
  'acceptBidForPunk(uint256 punkIndex, uint256 minPrice)',
  'buyPunk(uint256 punkIndex)',
  'enterBidForPunk(uint256 punkIndex)',
  'withdrawBidForPunk(uint256 punkIndex)',
  'punkNoLongerForSale(uint256 punkIndex)',
  // Permit2 https://github.com/Uniswap/permit2
  'approve(address token, address spender, uint160 value, uint48 expiration)',
  'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
  'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
  'transferFrom(address from, address to, uint160 value, address token)',
  'transferFrom((address from, address to, uint160 value, address token)[] transferDetails)',
  'permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value) transferDetails, address owner, bytes signature)',
  'permitTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value)[] transferDetails, address owner, bytes signature)',
  'permitWitnessTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value) transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
  'permitWitnessTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value)[] transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
  'lockdown((address token, address spender)[] approvals)',
  'invalidateNonces(address token, address spender, uint48 newNonce)',
  'invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
  // WETH9
  'deposit()',
  'withdraw(uint256 value)',
  'depositTo(address beneficiary)',
  'withdrawTo(address beneficiary, uint256 amount)',
  // Batches of calls to one contract: Uniswap's, optionally with a deadline or a block hash, and BoringSolidity's
  'multicall(bytes[] data)',
  'multicall(uint256 deadline, bytes[] data)',
  'multicall(bytes32 previousBlockhash, bytes[] data)',
  'batch(bytes[] data, bool revertOnFail)',
  // Multicall3 https://github.com/mds1/multicall
  'aggregate((address target, bytes data)[] calls)',
  'tryAggregate(bool requireSuccess, (address target, bytes data)[] calls)',
  'blockAndAggregate((address target, bytes data)[] calls)',
  'tryBlockAndAggregate(bool requireSuccess, (address target, bytes data)[] calls)',
  'aggregate3((address target, bool allowFailure, bytes data)[] calls)',
  'aggregate3Value((address target, bool allowFailure, uint256 value, bytes data)[] calls)',
  // Safe https://github.com/safe-global/safe-smart-account
  'execTransaction(address target, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'execTransactionFromModule(address target, uint256 value, bytes data, uint8 operation)',
  'execTransactionFromModuleReturnData(address target, uint256 value, bytes data, uint8 operation)',
  'multiSend(bytes transactions)',
  // Safe4337Module
  'executeUserOp(address target, uint256 value, bytes data, uint8 operation)',
  'executeUserOpWithErrorString(address target, uint256 value, bytes data, uint8 operation)',
  // Smart accounts: ERC-4337 samples, ERC-725X, DSProxy, ERC-7579 and ERC-7821, Kernel v2 and ERC-6551, Biconomy
  'execute(address target, uint256 value, bytes data)',
  'executeBatch(address[] targets, bytes[] data)',
  'executeBatch(address[] targets, uint256[] values, bytes[] data)',
  'executeBatch((address target, uint256 value, bytes data)[] calls)',
  'execute((address target, uint256 value, bytes data)[] calls)',
  'execute(uint256 operation, address target, uint256 value, bytes data)',
  'execute(address target, bytes data)',
  'execute(address target, uint256 value, bytes data, uint8 operation)',
  'execute_ncC(address target, uint256 value, bytes data)',
  'executeBatch_y6U(address[] targets, uint256[] values, bytes[] data)',
  'execute(bytes32 mode, bytes executionCalldata)',
  'executeFromExecutor(bytes32 mode, bytes executionCalldata)',
  // ERC-4337's EntryPoint: v0.6, then v0.7 and later
  'handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)',
  'handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)',
  // ERC-2771 forwarders, and Euler's vault connector, which also calls on behalf of an account
  'execute((address from, address target, uint256 value, uint256 gas, uint256 nonce, bytes data) request, bytes signature)',
  'execute((address from, address target, uint256 value, uint256 gas, uint48 deadline, bytes data, bytes signature) request)',
  'executeBatch((address from, address target, uint256 value, uint256 gas, uint48 deadline, bytes data, bytes signature)[] requests, address beneficiary)',
  'batch((address target, address from, uint256 value, bytes data)[] items)',
  // Uniswap's Universal Router https://github.com/Uniswap/universal-router
  'execute(bytes commands, bytes[] inputs)',
  'execute(bytes commands, bytes[] inputs, uint256 deadline)',
  // Uniswap V4's PositionManager https://github.com/Uniswap/v4-periphery
  'modifyLiquidities(bytes unlockData, uint256 deadline)',
  'modifyLiquiditiesWithoutUnlock(bytes actions, bytes[] params)',
  // 0x: AllowanceHolder https://github.com/0xProject/0x-settler
  'exec(address spender, address token, uint256 value, address target, bytes data)',
  // CoW, whose call contains only the order's hash; OptimismPortal, for calls on another chain
  'setPreSignature(bytes orderUid, bool signed)',
  'depositTransaction(address beneficiary, uint256 value, uint64 gasLimit, bool isCreation, bytes data)',
  ...controlFunctions,
  ...exchangeFunctions,
  ...protocolFunctions,
]
