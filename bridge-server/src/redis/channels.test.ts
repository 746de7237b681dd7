import type { Redis } from '@heliograph/shared/server/redis/redis'
import { expect, test } from 'vitest'
import { createChannels } from './channels.ts'

/** Creates channels on a fake Redis that answers on request. */
const open = () => {
  const commands: { name: string; answer: (err?: Error) => Promise<void> }[] = []
  const command = (name: string) => (): Promise<void> =>
    new Promise((resolve, reject) => {
      const answer = (err?: Error): Promise<void> => {
        if (err) reject(err)
        else resolve()
        return new Promise(setImmediate)
      }
      commands.push({ name, answer })
    })
  const redis: Redis = {
    send: () => Promise.resolve(null),
    sendEach: async () => [],
    storing: (_, work) => work(),
    channel: name => name,
    load: async () => undefined,
    run: () => Promise.resolve(null),
    subscribe: command('subscribe'),
    unsubscribe: command('unsubscribe'),
    onGap: () => undefined,
    failure: () => undefined,
    primaries: () => 1,
    close: () => Promise.resolve(),
  }
  const next = async (name: string, err?: Error): Promise<void> => {
    const first = commands.shift()
    expect(first?.name).toBe(name)
    await first?.answer(err)
  }
  return { channels: createChannels(redis, () => undefined), commands, next }
}

test('a channel is opened once, and closed once nobody wants it', async () => {
  const { channels, commands, next } = open()
  const opening = [channels.open('t'), channels.open('t')]
  await next('subscribe')
  await Promise.all([...opening, channels.open('t')])
  await channels.tidy()
  expect(commands).toEqual([])
  channels.close('t')
  const tidying = channels.tidy()
  await next('unsubscribe')
  await tidying
  expect(commands).toEqual([])
})

test('a channel that is wanted again before `tidy` stays open', async () => {
  const { channels, commands, next } = open()
  const opening = channels.open('t')
  await next('subscribe')
  await opening
  channels.close('t')
  await channels.open('t')
  await channels.tidy()
  expect(commands).toEqual([])
})

test('a channel that is wanted again while it is being closed is opened afterwards', async () => {
  const { channels, commands, next } = open()
  const opening = channels.open('t')
  await next('subscribe')
  await opening
  channels.close('t')
  const tidying = channels.tidy()
  const again = channels.open('t')
  expect(commands).toHaveLength(1)
  await next('unsubscribe')
  await next('subscribe')
  await Promise.all([tidying, again])
})

test('a refused channel is opened at the next attempt', async () => {
  const { channels, next } = open()
  const refused = channels.open('t')
  const outcome = expect(refused).rejects.toThrow('Redis is down')
  await next('subscribe', new Error('Redis is down'))
  await outcome
  const again = channels.open('t')
  await next('subscribe')
  await again
})
