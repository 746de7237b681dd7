/** Filters accounts and contacts by the typed text. */

export type Recipient = { address: string; name: string }

/**
 * Returns the entries whose name or address contains the typed text. A complete address filters nothing, because it is
 * already a choice.
 */
export const findRecipients = <T extends Recipient>(all: readonly T[], typed: string): T[] => {
  const wanted = typed.trim().toLowerCase()
  return all.filter(({ name, address }) => `${name} ${address}`.toLowerCase().includes(wanted))
}
