/** How facts that a node tells, and that decide about money, are checked. */

/** Names of facts from a node that decide about money. `block` is the chain itself, and `name` an ENS name's address. */
export type FactName = 'balance' | 'nonce' | 'code' | 'tokenBalance' | 'allowance' | 'block' | 'name'

/**
 * How a fact is checked: proved (EIP-1186) against the state root on which two nodes agree, told alike by two nodes, or
 * told by one node alone. `differs` means that the nodes disagree.
 */
export type CheckedBy = 'proved' | 'agreed' | 'alone' | 'differs'

/**
 * A checked fact. `about` is the address of the account, the recipient or the token, or an ENS name. `said` are the
 * nodes' values if they disagree: numbers in decimal, hashes of code, or addresses.
 */
export type CheckedFact = {
  fact: FactName
  about: string
  by: CheckedBy
  said?: readonly [mine: string, other: string]
}

/**
 * Facts that were compared between two nodes, at a block. `hosts` are the reading and the comparing node. `block` is null
 * if the nodes could not be compared in time.
 */
export type ChecksView = {
  hosts: readonly [mine: string, other: string]
  block: string | null
  facts: readonly CheckedFact[]
}
