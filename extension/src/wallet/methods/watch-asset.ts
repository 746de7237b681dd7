/**
 * wallet_watchAsset: suggests a token to the wallet. The site's description must agree with the token's contract.
 * https://eips.ethereum.org/EIPS/eip-747
 */
import type { Network } from '@heliograph/shared/network'
import { nodeValues, parseParamsOn } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Finding } from '../../messages.ts'
import { type Asking, type Context, mainAccount } from '../requests/context.ts'
import { finding } from '../review/findings.ts'
import { reviewSymbol } from '../review/symbols.ts'
import { sameText } from '../text/confusables.ts'
import { rpcError } from '../text/errors.ts'
import { decimalsValue, MAX_DECIMALS, wholeNumber } from '../text/values.ts'
import type { Asset } from '../tokens/assets.ts'
import { readToken, type TokenMetadata } from '../tokens/token-contracts.ts'
import { TokenSymbol } from '../tokens/token-text.ts'

const Asked = v.object({
  type: v.literal('ERC20', 'must be ERC20, the only asset type that this wallet supports'),
  options: v.object({
    address: nodeValues.address,
    symbol: v.nullish(TokenSymbol),
    decimals: v.nullish(decimalsValue),
    chainId: v.nullish(v.pipe(v.number(), v.safeInteger('must be a whole number'))),
  }),
})
const InList = v.tuple([Asked])

/** The chain decides which address checksum is valid. */
const Chain = v.object({ options: v.object({ chainId: v.number() }) })

/** Parses the params. The standard specifies an object, but most sites send it in an array. */
const parse = (params: unknown, network: Network): v.InferOutput<typeof Asked> => {
  const named = v.safeParse(Chain, Array.isArray(params) ? params[0] : params)
  const chainId = named.success ? named.output.options.chainId : network.chainId
  return Array.isArray(params) ? parseParamsOn(chainId, params, InList)[0] : parseParamsOn(chainId, params, Asked)
}

/** Combines both descriptions: the contract's metadata takes precedence, and the site's must not contradict it. */
const agree = (
  asked: v.InferOutput<typeof Asked>['options'],
  told: TokenMetadata,
): Pick<Asset, 'symbol' | 'decimals'> => {
  if (asked.symbol && told.symbol !== null && !sameText(asked.symbol, told.symbol))
    throw rpcError('invalidParams', 'tokenOtherSymbol', {
      asked: asked.symbol,
      told: v.is(TokenSymbol, told.symbol) ? told.symbol : 'another',
    })
  if (typeof asked.decimals === 'number' && told.decimals !== null && asked.decimals !== told.decimals)
    throw rpcError('invalidParams', 'tokenOtherDecimals', { asked: asked.decimals, told: told.decimals })
  const symbol = v.safeParse(TokenSymbol, told.symbol ?? asked.symbol)
  const count = v.safeParse(wholeNumber(MAX_DECIMALS), told.decimals ?? asked.decimals)
  if (!symbol.success || !count.success) throw rpcError('invalidParams', 'tokenWithoutMetadata')
  return { symbol: symbol.output, decimals: count.output }
}

const review = async ({ assets, networks }: Context, asset: Asset, told: TokenMetadata): Promise<Finding[]> => {
  const { currency } = await networks.get(asset.chainId)
  const currencies = (await networks.list()).map(network => network.currency.symbol)
  const others = (await assets.list()).filter(
    ({ chainId, address }) => chainId === asset.chainId && address !== asset.address,
  )
  const listed = others.map(({ symbol }) => symbol)
  const findings = reviewSymbol(asset.symbol, listed, currencies)
  if (findings.length === 0 && sameText(currency.symbol, asset.symbol))
    findings.push(finding('caution', 'namesakeAsset', asset.symbol))
  if (told.symbol === null || told.decimals === null) findings.push(finding('caution', 'unconfirmedAsset'))
  return findings
}

export const watchAsset: Asking = {
  readsNodeOf: async ({ requester, network, networks }, params) => {
    const { chainId } = parse(params, network).options
    if (typeof chainId !== 'number') return network
    if (requester.kind === 'session' && chainId !== network.chainId)
      throw rpcError('invalidParams', 'paramNot', { place: 'options.chainId', wanted: network.chainId })
    return networks.get(chainId)
  },
  prepare: async (context, params) => {
    const { network } = context
    const { options } = parse(params, network)
    const { address } = options
    const told = await readToken(context.chain, network, address)
    const asset: Asset = { chainId: network.chainId, address, ...agree(options, told) }
    return {
      account: await mainAccount(context),
      payload: asset,
      effect: { kind: 'watchAsset', address, symbol: asset.symbol, decimals: asset.decimals },
      findings: await review(context, asset, told),
      chainId: network.chainId,
    }
  },
  act: async ({ assets }, { payload }) => {
    await assets.add(payload as Asset)
    return true
  },
}
