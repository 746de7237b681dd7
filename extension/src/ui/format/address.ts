/** Formats addresses for display. The background sends them checksummed (EIP-55); they are never changed here. */

export { isAddress } from '@heliograph/shared/checksum'

/** Matches words joined by full stops, as in ENS names. The background decides whether the text is a name. */
const NAME = /^[^\s.:/@]+(?:\.[^\s.:/@]+)+$/

export const isName = (value: string): boolean => NAME.test(value)

/** Shortens an address to `0x71C7…976F`. Use it only where the full address is one click away. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Returns the number of the ten groups that differ between two addresses. */
export const countDiffering = (one: string, other: string): number => {
  const groups = addressGroups(other.toLowerCase())
  return addressGroups(one.toLowerCase()).filter((group, at) => group !== groups[at]).length
}

/** Returns the ten groups of the full address: `0x` and four digits, then four digits each. */
export const addressGroups = (address: string): string[] => [
  address.slice(0, 6),
  ...(address.slice(6).match(/.{1,4}/g) ?? []),
]

/** True for the same address, whatever the case of its letters. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
