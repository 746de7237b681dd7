/** Contents of the data folders beside this file. */

/** Seeds of the clients' keys. */
export const [ANN, BEN, CID, DAN] = [1, 2, 3, 4] as const

/**
 * Topics by their state. `both`: Ben and Cid are subscribed, and Ben has the first message. `one`: Cid is subscribed.
 * `claimed`: Ben subscribed after the message. `open`: no client has subscribed. `left`: Dan has unsubscribed.
 */
export const TOPICS = {
  both: 'b0'.repeat(32),
  one: 'c1'.repeat(32),
  claimed: 'd2'.repeat(32),
  open: 'e3'.repeat(32),
  left: 'f4'.repeat(32),
}

export const texts = {
  both: ['first', 'with an attestation', 'of a batch 1', 'of a batch 2'],
  one: ['zażółć "gęślą" \\ 😀', 'x'.repeat(5000)],
  claimed: ['was here before Ben'],
  open: ['for the first client that comes'],
}
