/** Topics and seeds that no other test of the same file uses. */

let lastTopic = 0
/** Returns a new topic in the form that every prefix accepts. */
export const newTopic = (): string => {
  lastTopic += 1
  return lastTopic.toString(16).padStart(64, '0')
}

let lastSeed = 0
/** Returns a new seed for a client's key. */
export const newSeed = (): number => {
  lastSeed += 1
  return lastSeed
}
