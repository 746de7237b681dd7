import { beforeEach, expect, test } from 'vitest'
import { type CallReport, createWebhookJournal, type WebhookJournal } from './journal.ts'

const HOUR = 3600 * 1000

let time: number
let journal: WebhookJournal
beforeEach(() => {
  time = 1_700_000_000_000
  journal = createWebhookJournal(() => time)
})

const call = (url: string, report: Partial<CallReport> = {}): void =>
  journal.note({
    url,
    attempt: 0,
    outcome: 'delivered',
    status: 200,
    took: 40,
    waiting: 0,
    retryAt: undefined,
    ...report,
  })
const reports = () => journal.states().map(journal.report)

test('keeps only the origin of the URL of a target', () => {
  call('https://user.example:8443/secret/path?key=1#x')
  call('https://user.example:8443/another')
  expect(reports()).toEqual([
    {
      origin: 'https://user.example:8443',
      state: 'delivering',
      attempt: 0,
      waiting: 0,
      retryAt: undefined,
      lastStatus: 200,
      lastAt: time,
      delivered: 2,
      firstTry: 1,
      median: 40,
    },
  ])
  expect(JSON.stringify(reports())).not.toMatch(/secret|key|another/)
})

test('a target is retrying until a call is delivered; a target that rejects calls is refusing', () => {
  call('https://a.example/', { outcome: 'failed', status: 503, waiting: 7, retryAt: time + 4000 })
  call('https://b.example/', { outcome: 'refused', status: 404 })
  call('https://c.example/', { outcome: 'failed', status: undefined, waiting: 1, retryAt: time + 1 })
  const states = Object.fromEntries(journal.states().map(({ origin, state }) => [origin.slice(8, 9), state]))
  expect(states).toEqual({ a: 'retrying', b: 'refusing', c: 'retrying' })
  expect(reports().find(({ origin }) => origin === 'https://a.example')).toMatchObject({
    waiting: 7,
    retryAt: time + 4000,
    delivered: 0,
    firstTry: undefined,
    median: undefined,
  })
  call('https://a.example/', { attempt: 3 })
  expect(reports().find(({ origin }) => origin === 'https://a.example')).toMatchObject({
    state: 'delivering',
    delivered: 1,
    firstTry: 0,
  })
  expect([journal.delivered(), journal.firstTry()]).toEqual([1, 0])
})

test('figures cover the last day by hour', () => {
  call('https://a.example/', { took: 1 })
  time += 12 * HOUR
  call('https://a.example/', { took: 900, attempt: 1 })
  expect(reports()[0]).toMatchObject({ delivered: 2, firstTry: 0.5 })
  time += 13 * HOUR
  expect(reports()[0]).toMatchObject({ delivered: 1, firstTry: 0 })
  expect(journal.firstTry()).toBe(0)
  time += 13 * HOUR
  expect(reports()).toEqual([])
  expect(journal.firstTry()).toBeUndefined()
})

test('keeps a target with a queued call for as long as it takes', () => {
  call('https://a.example/', { outcome: 'failed', waiting: 1, retryAt: time + 48 * HOUR })
  time += 40 * HOUR
  expect(journal.states()).toHaveLength(1)
})

test('lists failing targets first, then by last call, and keeps the most recent ones', () => {
  for (let index = 0; index < 300; index++) {
    time += 1
    call(`https://h${index}.example/`)
  }
  call('https://h200.example/', { outcome: 'failed', waiting: 1, retryAt: time })
  const states = journal.states()
  expect(states).toHaveLength(200)
  expect(states.slice(0, 3).map(({ origin }) => origin)).toEqual([
    'https://h200.example',
    'https://h299.example',
    'https://h298.example',
  ])
  expect(journal.delivered()).toBe(300)
})
