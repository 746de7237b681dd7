/** Signatures of the contract functions that the wallet decodes. */

/**
 * Add a line to decode another function. Amounts are always named `value`. ERC-721 shares `approve` and `transferFrom`
 * with ERC-20; there `value` is the token id.
 */
export const functions = [
  // ERC-20 https://eips.ethereum.org/EIPS/eip-20, with the common functions that change an allowance by a difference
  'transfer(address to, uint256 value)',
  'approve(address spender, uint256 value)',
  'transferFrom(address from, address to, uint256 value)',
  'increaseAllowance(address spender, uint256 value)',
  'decreaseAllowance(address spender, uint256 value)',
  'increaseApproval(address spender, uint256 value)',
  'decreaseApproval(address spender, uint256 value)',
  // ERC-2612 https://eips.ethereum.org/EIPS/eip-2612, the permit of DAI, and the permit of Uniswap positions (ERC-721)
  'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  // ERC-721 https://eips.ethereum.org/EIPS/eip-721 and ERC-1155 https://eips.ethereum.org/EIPS/eip-1155
  'setApprovalForAll(address operator, bool approved)',
  'safeTransferFrom(address from, address to, uint256 tokenId)',
  'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  // Permit2 https://github.com/Uniswap/permit2
  'approve(address token, address spender, uint160 value, uint48 expiration)',
  'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
  'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
  'transferFrom(address from, address to, uint160 value, address token)',
  'transferFrom((address from, address to, uint160 value, address token)[] transferDetails)',
  // WETH9
  'deposit()',
  'withdraw(uint256 value)',
  // Several calls of the same contract in one: Uniswap's, optionally with a deadline or a block hash, and BoringSolidity's
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
  // Smart accounts: ERC-4337 samples, ERC-725X, DSProxy, ERC-7579 and ERC-7821
  'execute(address target, uint256 value, bytes data)',
  'executeBatch(address[] targets, bytes[] data)',
  'executeBatch(address[] targets, uint256[] values, bytes[] data)',
  'executeBatch((address target, uint256 value, bytes data)[] calls)',
  'execute((address target, uint256 value, bytes data)[] calls)',
  'execute(uint256 operation, address target, uint256 value, bytes data)',
  'execute(address target, bytes data)',
  'execute(bytes32 mode, bytes executionCalldata)',
  'executeFromExecutor(bytes32 mode, bytes executionCalldata)',
  // EntryPoint of ERC-4337: v0.6, then v0.7 and later
  'handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)',
  'handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)',
  // ERC-2771 forwarders, and Euler's vault connector, which also calls on behalf of an account
  'execute((address from, address target, uint256 value, uint256 gas, uint256 nonce, bytes data) request, bytes signature)',
  'execute((address from, address target, uint256 value, uint256 gas, uint48 deadline, bytes data, bytes signature) request)',
  'executeBatch((address from, address target, uint256 value, uint256 gas, uint48 deadline, bytes data, bytes signature)[] requests, address refundReceiver)',
  'batch((address target, address from, uint256 value, bytes data)[] items)',
  // Uniswap's Universal Router https://github.com/Uniswap/universal-router
  'execute(bytes commands, bytes[] inputs)',
  'execute(bytes commands, bytes[] inputs, uint256 deadline)',
] as const
