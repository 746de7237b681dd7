/** Looks through all topics, some at a time: however many there are, no message waits for the count. */
import type { Topic } from './topic.ts'

/** Topics looked at in one step. */
const STEP_TOPICS = 10_000
/** Milliseconds for which a topic counts as active after it was used. */
const ACTIVE = 60 * 60 * 1000

export type Found = {
  /** Topics that were used in the last hour. */
  active: number
  /** When the oldest message that waits was published, if one does. */
  oldestAt: number | undefined
}

export type Census = {
  /** Goes on looking; called once a second. `now` in ms. */
  step: (now: number) => void
  /** What was found when the topics were last looked through; undefined the first time. */
  found: () => Found | undefined
}

/** `publishedAt` gives the time of the message of a topic with that number, if it still waits. */
export const createCensus = (
  topics: () => Iterator<Topic>,
  publishedAt: (topic: Topic, seq: number) => number | undefined,
): Census => {
  let found: Found | undefined
  let rest = topics()
  let active = 0
  let oldest: { topic: Topic; seq: number } | undefined

  const look = (topic: Topic, now: number): void => {
    const [first] = topic.log
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
