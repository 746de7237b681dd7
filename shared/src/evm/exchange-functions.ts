/** Function signatures of exchanges and marketplaces. `functions.ts` explains the parameter names. */

const OFFER =
  '(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount)[] offer'
const CONSIDERATION =
  '(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient)[] consideration'
const SEAPORT_HEAD = `address offerer, address zone, ${OFFER}, ${CONSIDERATION}, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey`
const SEAPORT_PARAMETERS = `(${SEAPORT_HEAD}, uint256 totalOriginalConsiderationItems) parameters`
const SEAPORT_BASIC =
  '(address considerationToken, uint256 considerationIdentifier, uint256 considerationAmount, address offerer, address zone, address offerToken, uint256 offerIdentifier, uint256 offerAmount, uint8 basicOrderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 offererConduitKey, bytes32 fulfillerConduitKey, uint256 totalOriginalAdditionalRecipients, (uint256 amount, address recipient)[] additionalRecipients, bytes signature) parameters'

const ONEINCH_DESCRIPTION =
  'address tokenIn, address dstToken, address srcReceiver, address beneficiary, uint256 amountIn, uint256 minReturnAmount, uint256 flags'
const KYBER_DESCRIPTION =
  '(address srcToken, address dstToken, address[] srcReceivers, uint256[] srcAmounts, address[] feeReceivers, uint256[] feeAmounts, address beneficiary, uint256 amount, uint256 minReturnAmount, uint256 flags, bytes permit) desc'
const PARASWAP =
  'address srcToken, address destToken, uint256 fromAmount, uint256 toAmount, uint256 quotedAmount, bytes32 metadata, address beneficiary'

export const exchangeFunctions: readonly string[] = [
  // Uniswap V2's router https://github.com/Uniswap/v2-periphery
  'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address beneficiary, uint256 deadline)',
  'swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address beneficiary, uint256 deadline)',
  'swapExactETHForTokens(uint256 amountOutMin, address[] path, address beneficiary, uint256 deadline)',
  'swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address beneficiary, uint256 deadline)',
  'swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address beneficiary, uint256 deadline)',
  'swapETHForExactTokens(uint256 amountOut, address[] path, address beneficiary, uint256 deadline)',
  'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address beneficiary, uint256 deadline)',
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address beneficiary, uint256 deadline)',
  'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address beneficiary, uint256 deadline)',
  'addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address beneficiary, uint256 deadline)',
  'addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address beneficiary, uint256 deadline)',
  'removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address beneficiary, uint256 deadline)',
  'removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address beneficiary, uint256 deadline)',
  'removeLiquidityWithPermit(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address beneficiary, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s)',
  'removeLiquidityETHWithPermit(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address beneficiary, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s)',
  'removeLiquidityETHSupportingFeeOnTransferTokens(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address beneficiary, uint256 deadline)',
  'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address beneficiary, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s)',
  // Uniswap V3's SwapRouter, then SwapRouter02, then functions of both
  'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address beneficiary, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
  'exactInput((bytes path, address beneficiary, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params)',
  'exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address beneficiary, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)',
  'exactOutput((bytes path, address beneficiary, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params)',
  'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address beneficiary, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
  'exactInput((bytes path, address beneficiary, uint256 amountIn, uint256 amountOutMinimum) params)',
  'exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address beneficiary, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)',
  'exactOutput((bytes path, address beneficiary, uint256 amountOut, uint256 amountInMaximum) params)',
  'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address beneficiary)',
  'swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address beneficiary)',
  'unwrapWETH9(uint256 amountMinimum)',
  'unwrapWETH9(uint256 amountMinimum, address beneficiary)',
  'sweepToken(address token, uint256 amountMinimum)',
  'sweepToken(address token, uint256 amountMinimum, address beneficiary)',
  'refundETH()',
  // Uniswap V3's NonfungiblePositionManager
  'mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address beneficiary, uint256 deadline) params)',
  'increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)',
  'decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)',
  'collect((uint256 tokenId, address beneficiary, uint128 amount0Max, uint128 amount1Max) params)',
  // Curve: pools with signed and unsigned indices, and the router
  'exchange(int128 i, int128 j, uint256 dx, uint256 minDy)',
  'exchange(int128 i, int128 j, uint256 dx, uint256 minDy, address beneficiary)',
  'exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy)',
  'exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy, bool useEth)',
  'exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy, address beneficiary)',
  'exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy, bool useEth, address beneficiary)',
  'exchange_underlying(int128 i, int128 j, uint256 dx, uint256 minDy)',
  'exchange_underlying(int128 i, int128 j, uint256 dx, uint256 minDy, address beneficiary)',
  'exchange_underlying(uint256 i, uint256 j, uint256 dx, uint256 minDy)',
  'exchange_underlying(uint256 i, uint256 j, uint256 dx, uint256 minDy, address beneficiary)',
  'exchange(address[11] route, uint256[5][5] swapParams, uint256 amount, uint256 minDy)',
  'exchange(address[11] route, uint256[5][5] swapParams, uint256 amount, uint256 minDy, address[5] pools)',
  'exchange(address[11] route, uint256[5][5] swapParams, uint256 amount, uint256 minDy, address[5] pools, address beneficiary)',
  'exchange_multiple(address[9] route, uint256[3][4] swapParams, uint256 amount, uint256 expected)',
  'exchange_multiple(address[9] route, uint256[3][4] swapParams, uint256 amount, uint256 expected, address[4] pools)',
  'exchange_multiple(address[9] route, uint256[3][4] swapParams, uint256 amount, uint256 expected, address[4] pools, address beneficiary)',
  'add_liquidity(uint256[2] amounts, uint256 minMintAmount)',
  'add_liquidity(uint256[3] amounts, uint256 minMintAmount)',
  'add_liquidity(uint256[4] amounts, uint256 minMintAmount)',
  'add_liquidity(uint256[] amounts, uint256 minMintAmount)',
  'add_liquidity(uint256[2] amounts, uint256 minMintAmount, address beneficiary)',
  'add_liquidity(uint256[3] amounts, uint256 minMintAmount, address beneficiary)',
  'add_liquidity(uint256[] amounts, uint256 minMintAmount, address beneficiary)',
  'remove_liquidity(uint256 amount, uint256[2] minAmounts)',
  'remove_liquidity(uint256 amount, uint256[3] minAmounts)',
  'remove_liquidity(uint256 amount, uint256[4] minAmounts)',
  'remove_liquidity(uint256 amount, uint256[] minAmounts)',
  'remove_liquidity_one_coin(uint256 amount, int128 i, uint256 minAmount)',
  'remove_liquidity_one_coin(uint256 amount, int128 i, uint256 minAmount, address beneficiary)',
  // Balancer V2's vault https://docs-v2.balancer.fi
  'swap((bytes32 poolId, uint8 kind, address assetIn, address assetOut, uint256 amount, bytes userData) singleSwap, (address sender, bool fromInternalBalance, address beneficiary, bool toInternalBalance) funds, uint256 limit, uint256 deadline)',
  'batchSwap(uint8 kind, (bytes32 poolId, uint256 assetInIndex, uint256 assetOutIndex, uint256 amount, bytes userData)[] swaps, address[] assets, (address sender, bool fromInternalBalance, address beneficiary, bool toInternalBalance) funds, int256[] limits, uint256 deadline)',
  'joinPool(bytes32 poolId, address sender, address beneficiary, (address[] assets, uint256[] maxAmountsIn, bytes userData, bool fromInternalBalance) request)',
  'exitPool(bytes32 poolId, address sender, address beneficiary, (address[] assets, uint256[] minAmountsOut, bytes userData, bool toInternalBalance) request)',
  'manageUserBalance((uint8 kind, address asset, uint256 amount, address sender, address beneficiary)[] ops)',
  // 1inch: v6, v5 and v4. Some v6 functions declare an address as uint256
  `swap(address executor, (${ONEINCH_DESCRIPTION}) desc, bytes data)`,
  `swap(address executor, (${ONEINCH_DESCRIPTION}) desc, bytes permit, bytes data)`,
  `swap(address executor, (${ONEINCH_DESCRIPTION}, bytes permit) desc, bytes data)`,
  'unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex)',
  'unoswap2(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2)',
  'unoswap3(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3)',
  'unoswapTo(uint256 beneficiary, uint256 token, uint256 amount, uint256 minReturn, uint256 dex)',
  'unoswapTo2(uint256 beneficiary, uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2)',
  'unoswapTo3(uint256 beneficiary, uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3)',
  'ethUnoswap(uint256 minReturn, uint256 dex)',
  'ethUnoswap2(uint256 minReturn, uint256 dex, uint256 dex2)',
  'ethUnoswap3(uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3)',
  'ethUnoswapTo(uint256 beneficiary, uint256 minReturn, uint256 dex)',
  'ethUnoswapTo2(uint256 beneficiary, uint256 minReturn, uint256 dex, uint256 dex2)',
  'ethUnoswapTo3(uint256 beneficiary, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3)',
  'clipperSwapTo(address clipperExchange, address beneficiary, uint256 srcToken, address dstToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil, bytes32 r, bytes32 vs)',
  'unoswap(address srcToken, uint256 amount, uint256 minReturn, uint256[] pools)',
  'unoswapTo(address beneficiary, address srcToken, uint256 amount, uint256 minReturn, uint256[] pools)',
  'uniswapV3Swap(uint256 amount, uint256 minReturn, uint256[] pools)',
  'uniswapV3SwapTo(address beneficiary, uint256 amount, uint256 minReturn, uint256[] pools)',
  'clipperSwapTo(address clipperExchange, address beneficiary, address srcToken, address dstToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil, bytes32 r, bytes32 vs)',
  'cancelOrder(uint256 makerTraits, bytes32 orderHash)',
  // 0x: exchange proxy and Settler
  'transformERC20(address inputToken, address outputToken, uint256 inputTokenAmount, uint256 minOutputTokenAmount, (uint32 deploymentNonce, bytes data)[] transformations)',
  'sellToUniswap(address[] tokens, uint256 sellAmount, uint256 minBuyAmount, bool isSushi)',
  'sellTokenForTokenToUniswapV3(bytes encodedPath, uint256 sellAmount, uint256 minBuyAmount, address beneficiary)',
  'sellTokenForEthToUniswapV3(bytes encodedPath, uint256 sellAmount, uint256 minBuyAmount, address beneficiary)',
  'sellEthForTokenToUniswapV3(bytes encodedPath, uint256 minBuyAmount, address beneficiary)',
  'execute((address beneficiary, address buyToken, uint256 minAmountOut) slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  // ParaSwap's Augustus v6, and KyberSwap's meta aggregation router
  `swapExactAmountIn(address executor, (${PARASWAP}) swapData, uint256 partnerAndFee, bytes permit, bytes executorData)`,
  `swapExactAmountOut(address executor, (${PARASWAP}) swapData, uint256 partnerAndFee, bytes permit, bytes executorData)`,
  `swapExactAmountInOnUniswapV2((${PARASWAP}, bytes pools) uniData, uint256 partnerAndFee, bytes permit)`,
  `swapExactAmountInOnUniswapV3((${PARASWAP}, bytes pools) uniData, uint256 partnerAndFee, bytes permit)`,
  `swap((address callTarget, address approveTarget, bytes targetData, ${KYBER_DESCRIPTION}, bytes clientData) execution)`,
  `swapSimpleMode(address caller, ${KYBER_DESCRIPTION}, bytes executorData, bytes clientData)`,
  // Seaport https://github.com/ProjectOpenSea/seaport
  `fulfillBasicOrder(${SEAPORT_BASIC})`,
  `fulfillBasicOrder_efficient_6GL6yc(${SEAPORT_BASIC})`,
  `fulfillOrder((${SEAPORT_PARAMETERS}, bytes signature) order, bytes32 fulfillerConduitKey)`,
  `fulfillAdvancedOrder((${SEAPORT_PARAMETERS}, uint120 numerator, uint120 denominator, bytes signature, bytes extraData) advancedOrder, (uint256 orderIndex, uint8 side, uint256 index, uint256 identifier, bytes32[] criteriaProof)[] criteriaResolvers, bytes32 fulfillerConduitKey, address beneficiary)`,
  `cancel((${SEAPORT_HEAD}, uint256 counter)[] orders)`,
  'incrementCounter()',
]
