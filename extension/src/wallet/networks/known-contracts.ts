/** The catalogue of commonly used contracts that ships with the wallet. */
import { byNetwork } from './by-network.ts'

/** `role` is the contract's purpose, such as `router`, `marketplace`, `fees`, `wrapped` or `safe-singleton`. */
export type KnownContract = { address: string; protocol: string; what: string; role: string }

/** A network's known contracts by address in lower case. */
export type ContractsOfNetwork = ReadonlyMap<string, KnownContract>

/** Reads the catalogue's file: contracts by chain id, each as a list of address, protocol, name and role. */
export type ContractList = () => Promise<Readonly<Record<string, readonly (readonly string[])[]>>>

/** Returns a network's known contracts. Empty if the catalogue lists none. */
export type KnownContracts = (chainId: number) => Promise<ContractsOfNetwork>

const toContract = ([address = '', protocol = '', what = '', role = '']: readonly string[]): KnownContract => ({
  address,
  protocol,
  what,
  role,
})

/** Reads the list once, and indexes each network on first use. */
export const createKnownContracts = (list: ContractList): KnownContracts =>
  byNetwork(list, rows => new Map(rows.map(toContract).map(contract => [contract.address.toLowerCase(), contract])))
