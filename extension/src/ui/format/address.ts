/** Formats addresses for display. The background sends them checksummed (EIP-55); they are never changed here. */

const ADDRESS = /^0x[\da-fA-F]{40}$/

export const isAddress = (value: string): boolean => ADDRESS.test(value)

/** Words joined by full stops, as ENS names are. The background decides whether it is one. */
const NAME = /^[^\s.:/@]+(?:\.[^\s.:/@]+)+$/

export const isName = (value: string): boolean => NAME.test(value)

/** `0x71C7…976F`. Use it only where the full address is one click away. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** The number of the ten groups that differ between two addresses. */
export const countDiffering = (one: string, other: string): number => {
  const groups = addressGroups(other.toLowerCase())
  return addressGroups(one.toLowerCase()).filter((group, at) => group !== groups[at]).length
}

/** The ten groups of the full address: `0x` and four digits, then four digits each. */
export const addressGroups = (address: string): string[] => [
  address.slice(0, 6),
  ...(address.slice(6).match(/.{1,4}/g) ?? []),
]

/** True for the same address in any spelling of its letters. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
