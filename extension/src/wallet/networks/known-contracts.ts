/** The catalogue of contracts that people use, which comes with the wallet. */

/** `role` says what it is for, such as `router`, `marketplace`, `fees`, `wrapped` or `safe-singleton`. */
export type KnownContract = { address: string; protocol: string; what: string; role: string }

/** The known contracts of a network, by address in lower case. */
export type ContractsOfNetwork = ReadonlyMap<string, KnownContract>

/** Reads the catalogue's file. Contracts are lists of address, protocol, what and role, by chain id. */
export type ContractList = () => Promise<Readonly<Record<string, readonly (readonly string[])[]>>>

/** The known contracts of a network, empty for one that the catalogue has not. */
export type KnownContracts = (chainId: number) => Promise<ContractsOfNetwork>

const toContract = ([address = '', protocol = '', what = '', role = '']: readonly string[]): KnownContract => ({
  address,
  protocol,
  what,
  role,
})

/** Reads the list once, and indexes each network when it is asked for. */
export const createKnownContracts = (list: ContractList): KnownContracts => {
  let reading: ReturnType<ContractList> | undefined
  const indexed = new Map<number, ContractsOfNetwork>()
  const index = async (chainId: number): Promise<ContractsOfNetwork> => {
    reading ??= list()
    const contracts = ((await reading)[String(chainId)] ?? []).map(toContract)
    return new Map(contracts.map(contract => [contract.address.toLowerCase(), contract]))
  }
  return async chainId => {
    const known = indexed.get(chainId) ?? (await index(chainId))
    indexed.set(chainId, known)
    return known
  }
}
