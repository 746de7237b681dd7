/** Property test: random operations leave the mailbox and the model in the same state. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createModel } from './mailbox-model.fixture.ts'
import { ann, ben, cat, other, socket, TOPIC, type Used } from './mailbox-store.fixture.ts'

const clients = [ann, ben, cat, socket, other]
const topics = [TOPIC, 'another']
const views = clients.flatMap(reader => topics.map(name => [reader, name] as const))

const client = fc.constantFrom(...clients)
const topic = fc.constantFrom(...topics)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      client,
      topic,
      text: fc.constantFrom('a', 'b', 'c'),
      ttl: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), client, topic }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), client, topic, index: fc.nat(2) }) },
  fc.record({ do: fc.constant('unsubscribe' as const), client, topic }),
  fc.record({ do: fc.constant('wait' as const), milliseconds: fc.nat(2000) }),
  fc.record({ do: fc.constant('sweep' as const) }),
  fc.record({ do: fc.constant('restart' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

type Model = ReturnType<typeof createModel>

/** Applies one step to the mailbox and its model. */
const take = async (used: Used, model: Model, one: Step): Promise<void> => {
  const now = used.now()
  if (one.do === 'publish') {
    await used.publish(one.client, one.text, { topic: one.topic, ttl: one.ttl })
    model.publish(one.client, one.topic, one.text, now + one.ttl * 1000, now)
  } else if (one.do === 'subscribe') {
    await used.subscribe(one.client, one.topic)
    model.subscribe(one.client, one.topic, now)
  } else if (one.do === 'unsubscribe') {
    await used.unsubscribe(one.client, one.topic)
    model.unsubscribe(one.client, one.topic)
  } else if (one.do === 'acknowledge') {
    const message = (await used.read(one.client, 0, 100, one.topic))[one.index]
    if (!message) return
    await used.mailbox().acknowledge(one.client, one.topic, message.seq)
    model.acknowledge(one.client, one.topic, one.index, now)
  } else if (one.do === 'wait') used.pass(one.milliseconds)
  else if (one.do === 'sweep') await used.mailbox().sweep()
  else {
    await used.restart()
    model.restart()
  }
}

export const testCourse = (used: Used, courses: number): void => {
  test('matches the model after any sequence of operations', { timeout: 400_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async steps => {
        await used.renew()
        const model = createModel()
        for (const one of steps) {
          await take(used, model, one)
          const waiting = await Promise.all(views.map(([reader, name]) => used.waiting(reader, name)))
          expect(waiting).toEqual(views.map(([reader, name]) => model.read(reader, name, used.now())))
        }
      }),
      { numRuns: courses },
    )
  })
}
