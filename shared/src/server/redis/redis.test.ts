import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { RedisUnavailable, within } from './redis.ts'
import { stallAfter } from './stall.fixture.ts'

test('a call without a reply fails after its timeout', async () => {
  const order: unknown[] = []
  await Promise.all([
    within(new Promise(() => undefined), 100).catch(thrown => order.push(thrown)),
    pause(50).then(() => order.push('half of the time')),
  ])
  expect(order).toEqual(['half of the time', new RedisUnavailable('Redis did not answer within 100 ms')])
})

test('a reply that arrives while this process stalls is in time', async () => {
  const { port1, port2 } = new MessageChannel()
  const call = () => {
    const reply = within(once(port1, 'message'), 20)
    port2.postMessage('the reply')
    return reply
  }
  expect(await stallAfter(call, 100)).toEqual(['the reply'])
  port1.close()
})

test('a call that could not be sent while this process stalled still has most of its time', async () => {
  const sendLater = (resolve: (reply: string) => void): void =>
    void setImmediate(() => setTimeout(resolve, 50, 'the reply'))
  expect(await stallAfter(() => within(new Promise(sendLater), 500), 600)).toBe('the reply')
})
