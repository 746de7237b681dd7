/** Names that a test has to itself, as far as its file goes. */

let lastTopic = 0
/** A topic in the form that every prefix takes. */
export const newTopic = (): string => {
  lastTopic += 1
  return lastTopic.toString(16).padStart(64, '0')
}

let lastSeed = 0
/** A new seed for a client's key. */
export const newSeed = (): number => {
  lastSeed += 1
  return lastSeed
}
