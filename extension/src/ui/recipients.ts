/** Whom the person can choose to send to, narrowed by what is typed. */

export type Recipient = { address: string; name: string }

/** Those whose name or address has what was typed; an address in full narrows nothing, it was chosen. */
export const findRecipients = <T extends Recipient>(all: readonly T[], typed: string): T[] => {
  const wanted = typed.trim().toLowerCase()
  return all.filter(({ name, address }) => `${name} ${address}`.toLowerCase().includes(wanted))
}
