/** Addresses as they are drawn. They come checksummed (EIP-55) from the background and are never changed here. */

const ADDRESS = /^0x[\da-fA-F]{40}$/

export const isAddress = (value: string): boolean => ADDRESS.test(value)

/** `0x71C7…976F`: only where the full form is a step away. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Of the ten groups, how many differ between two addresses. */
export const countDiffering = (one: string, other: string): number => {
  const groups = addressGroups(other.toLowerCase())
  return addressGroups(one.toLowerCase()).filter((group, at) => group !== groups[at]).length
}

/** The ten groups of the full form: the first carries the 0x and four digits, the others four digits each. */
export const addressGroups = (address: string): string[] => [
  address.slice(0, 6),
  ...(address.slice(6).match(/.{1,4}/g) ?? []),
]
