/** Chain ids of networks on the OP Stack. `npm run networks` writes this file from viem's chains. */
export const opStackChains: ReadonlySet<number> = new Set([
  10, // OP Mainnet
  130, // Unichain
  169, // Manta Pacific Mainnet
  177, // HashKey Chain
  185, // Mint Mainnet
  204, // opBNB
  252, // Fraxtal
  291, // Orderly
  360, // Shape
  420, // Optimism Goerli
  478, // Form Network
  480, // World Chain
  690, // Redstone
  919, // Mode Testnet
  957, // Lyra Chain
  1135, // Lisk
  1301, // Unichain Sepolia
  1338, // Elysium Testnet
  1750, // Metal L2
  1868, // Soneium Mainnet
  1874, // Whitechain Sepolia
  1923, // Swellchain
  1924, // Swellchain Testnet
  1946, // Soneium Minato Testnet
  2192, // SnaxChain
  2331, // RSS3 VSL Sepolia Testnet
  2522, // Fraxtal Testnet
  4202, // Lisk Sepolia
  4326, // MegaETH
  4801, // World Chain Sepolia
  5330, // Superseed
  5611, // opBNB Testnet
  7560, // Cyber
  7897, // Arena-Z
  8008, // Polynomial
  8453, // Base
  11011, // Shape Sepolia Testnet
  12553, // RSS3 VSL Mainnet
  13001, // SnaxChain Testnet
  17069, // Garnet Testnet
  33979, // Funki
  34443, // Mode Mainnet
  43111, // Hemi
  44787, // Alfajores
  48898, // Zircuit Garfield Testnet
  48900, // Zircuit Mainnet
  53302, // Superseed Sepolia
  57073, // Ink
  60808, // BOB
  81224, // Codex
  81457, // Blast
  84531, // Base Goerli
  84532, // Base Sepolia
  91342, // GIWA Sepolia
  132902, // Form Testnet
  695569, // Pyrope Testnet
  743111, // Hemi Sepolia
  747474, // Katana
  763373, // Ink Sepolia
  808813, // BOB Sepolia
  812242, // Codex Testnet
  3397901, // Funki Sepolia Sandbox
  7777777, // Zora
  11142220, // Celo Sepolia Testnet
  11155420, // OP Sepolia
  28122024, // Ancient8 Testnet
  168587773, // Blast Sepolia
  888888888, // Ancient8
  999999999, // Zora Sepolia
  2713017997578000, // Dchain Testnet
  2716446429837000, // Dchain
])
