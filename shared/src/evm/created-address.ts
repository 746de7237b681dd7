/** Addresses of contracts created with CREATE: https://ethereum.github.io/yellowpaper/paper.pdf, section 7. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, toAddress } from './address.ts'
import { address, record, uint256 } from './codec.ts'
import { encodeData } from './hex.ts'
import { encodeRlp } from './rlp.ts'

const creation = record<{ maker: Address; nonce: bigint }>({ maker: address, nonce: uint256 })

/**
 * Returns the address of the contract that `maker` creates at `nonce`: the last 20 bytes of
 * keccak256(RLP([maker, nonce])). Throws ValueError.
 */
export const createdAddress = (maker: Address, nonce: bigint): Address =>
  toAddress(encodeData(keccak_256(encodeRlp(creation.toRlp({ maker, nonce }, 'creation'))).subarray(12)))
