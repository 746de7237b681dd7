/** Addresses of the world in which requests are judged. */
import { getAddress, keccak256, toUtf8Bytes } from 'ethers'
import { ADDRESS, SECOND } from '../../extension/src/wallet/wallet.fixture.ts'

/** The account that the site is connected to, and the wallet's second account. */
export const ACCOUNT = ADDRESS
export const SAVINGS = SECOND
export const ZERO = `0x${'0'.repeat(40)}`

export const addressNamed = (name: string): string => getAddress(`0x${keccak256(toUtf8Bytes(name)).slice(-40)}`)

/** Parties that the wallet does not know. The contracts have code, but are in no catalogue. */
export const THIEF = addressNamed('the account of a thief')
export const THIEF_CONTRACT = addressNamed('the contract of a thief')
export const STRANGER = addressNamed('a shop')
export const DISTRIBUTOR = addressNamed('a distributor of tokens')
export const DOTS = addressNamed('a new collection')
export const COUNTERFEIT = addressNamed('a token with a symbol of another')

/** A Safe and an ownable contract that belong to the account. */
export const OWN_SAFE = addressNamed('the own Safe')
export const OWN_CONTRACT = addressNamed('the own contract')

/** A contact, and two addresses that share her first and last digits. */
export const MIRA = addressNamed('Mira')
const likeMira = (first: number, last: number): string => {
  const digits = addressNamed(`like Mira ${first} ${last}`).slice(2 + first, 42 - last)
  return getAddress(`0x${MIRA.slice(2, 2 + first)}${digits}${MIRA.slice(-last)}`.toLowerCase())
}
export const LIKE_MIRA_4_4 = likeMira(4, 4)
export const LIKE_MIRA_3_6 = likeMira(3, 6)

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
export const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const STETH = '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84'
export const AAVE_USDC = '0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c'
export const AAVE_USDC_DEBT = '0x72E95b8931767C79bA4EeE721354d6E99a61D004'
export const UNI = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'
export const BAYC = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
export const CRYPTO_PUNKS = '0xb47e3cd837dDF8e4c57F05d70Ab865de6e193BBB'
export const V3_POSITIONS = '0xC36442b4a4522E871399CD717aBDD847Ab11FE88'
export const V4_POSITIONS = '0xbD216513d74C8cf14cf4747E6AaA6420FF64ee9e'

export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const UNIVERSAL_ROUTER = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af'
export const V2_ROUTER = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
export const SWAP_ROUTER_02 = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
export const UNISWAPX_REACTOR = '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4'
export const AAVE_POOL = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2'
export const COMPOUND_USDC = '0xc3d688B66703497DAA19211EEdff47f25384cdc3'
export const MORPHO = '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb'
export const CURVE_3POOL = '0xbEbc44782C7dB0a1A60Cb6fe97d0b483032FF1C7'
export const SEAPORT = '0x0000000000000068F116a894984e2DB1123eB395'
export const OPENSEA_CONDUIT = '0x1E0049783F008A0085193E00003D00cd54003c71'
export const OPENSEA_CONDUIT_KEY = '0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000'
export const OPENSEA_FEES = '0x0000a26b00c1F0DF003000390027140000fAa719'
export const BLUR_EXCHANGE = '0x000000000000Ad05Ccc4F10045630fb830B95127'
export const BLUR_POLICY = '0x00000000006411739DA1c40B106F8511de5D1FAC'
export const ZEROX_V3 = '0x61935CbDd02287B511119DDb11Aeb42F1593b7Ef'
export const ZEROX_PROXY = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'
export const COW_SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
export const COW_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
export const ONEINCH_ROUTER = '0x111111125421cA6dc452d289314280a0f8842A65'
export const ONEINCH_EXECUTOR = '0x5141B82f5fFDa4c6fE1E372978F1C5427640a190'
export const ENS_REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
export const ENS_CONTROLLER = '0x253553366Da8546fC250F225fe3d25d0C782303b'
export const ENS_RESOLVER = '0xF29100983E058B709F3D539b0c765937B804AC15'
export const ACROSS_POOL = '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'
export const ARBITRUM_INBOX = '0x4Dbd4fc535Ac27206064B68FfCf827b0A60BAB3f'
export const OPTIMISM_BRIDGE = '0x99C9fc46f92E8a1c0deC1b1747d010903E884bE1'
export const SAFE_SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
export const MULTI_SEND_CALL_ONLY = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
export const SAFE_4337_MODULE = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226'
export const ENTRY_POINT_07 = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
export const ENTRY_POINT_08 = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'

/** Contracts that have code, but return nothing to reads in this world. */
export const PLAIN_CONTRACTS: readonly string[] = [
  ...[THIEF_CONTRACT, DISTRIBUTOR, UNIVERSAL_ROUTER, V2_ROUTER, SWAP_ROUTER_02, UNISWAPX_REACTOR, AAVE_POOL, MORPHO],
  ...[CURVE_3POOL, SEAPORT, OPENSEA_CONDUIT, OPENSEA_FEES, BLUR_EXCHANGE, BLUR_POLICY, ZEROX_V3, ZEROX_PROXY],
  ...[
    COW_SETTLEMENT,
    COW_RELAYER,
    ONEINCH_ROUTER,
    ONEINCH_EXECUTOR,
    ENS_CONTROLLER,
    ENS_RESOLVER,
    ACROSS_POOL,
    ARBITRUM_INBOX,
  ],
  ...[OPTIMISM_BRIDGE, SAFE_SINGLETON, MULTI_SEND_CALL_ONLY, SAFE_4337_MODULE, ENTRY_POINT_07, ENTRY_POINT_08],
]
