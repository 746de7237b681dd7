/** Computes statistics over all topics in steps, so that a mailbox with many topics does not delay messages. */
import type { Topic } from './topic.ts'

/** Topics per step. */
const STEP_TOPICS = 10_000
/** Milliseconds for which a topic counts as active after its last use. */
const ACTIVE = 60 * 60 * 1000

export type Found = {
  /** Topics used in the last hour. */
  active: number
  /** Unix time in ms at which the oldest stored message was published. Undefined if there is none. */
  oldestAt: number | undefined
}

export type Census = {
  /** Continues the pass. Called once a second with `now` in ms. */
  step: (now: number) => void
  /** Result of the last complete pass. Undefined before the first one. */
  found: () => Found | undefined
}

/** `publishedAt` returns the Unix time in ms at which a topic's message was published, if it is still stored. */
export const createCensus = (
  topics: () => Iterator<Topic>,
  publishedAt: (topic: Topic, seq: number) => number | undefined,
): Census => {
  let found: Found | undefined
  let rest = topics()
  let active = 0
  let oldest: { topic: Topic; seq: number } | undefined

  const look = (topic: Topic, now: number): void => {
    const [first] = topic.entries
    if (topic.usedAt * 1000 > now - ACTIVE) active += 1
    if (first && first.seq < (oldest?.seq ?? Number.POSITIVE_INFINITY)) oldest = { topic, seq: first.seq }
  }

  const finish = (): void => {
    found = { active, oldestAt: oldest && publishedAt(oldest.topic, oldest.seq) }
    rest = topics()
    active = 0
    oldest = undefined
  }

  return {
    step: now => {
      for (let count = 0; count < STEP_TOPICS; count++) {
        const { value, done } = rest.next()
        if (done) return finish()
        look(value, now)
      }
    },
    found: () => found,
  }
}
