import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FROM_WALLET } from '../messages.ts'
import { connectWallet } from './connection.ts'
import { openPage } from './page.fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = () => {
  const page = openPage()
  return { page, connection: connectWallet(page.own) }
}

test('requests have random ids, and responses are matched by id in any order', async () => {
  const { page, connection } = start()
  const answers = [connection.send('a', [1]), connection.send('b', undefined)]
  const [first, second] = page.sent
  expect(first).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), method: 'a', params: [1] })
  expect(second?.id).not.toBe(first?.id)
  page.reply({ id: String(second?.id), result: 'two' })
  page.reply({ id: String(first?.id), result: null })
  expect(await Promise.all(answers)).toEqual([null, 'two'])
})

test('an error is an Error with the code, the message and the data', async () => {
  const { page, connection } = start()
  const answer = connection.send('a', [])
  page.reply({ id: String(page.sent[0]?.id), error: { code: 4001, message: 'no', data: { why: 1 } } })
  const error = await answer.catch(thrown => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ code: 4001, message: 'no', data: { why: 1 } })

  const other = connection.send('b', [])
  page.reply({ id: String(page.sent[1]?.id), error: { code: -32603, message: 'broken' } })
  expect(Object.keys((await other.catch(thrown => thrown)) as object)).toEqual(['code'])
})

test('uses the first response and ignores unexpected ones', async () => {
  const { page, connection } = start()
  const answer = connection.send('a', [])
  const id = String(page.sent[0]?.id)
  page.reply({ id: 'unknown', result: 'no' })
  page.reply({ id, result: 'first' })
  page.reply({ id, result: 'second' })
  expect(await answer).toBe('first')
})

test('accepts messages from this window only', async () => {
  const { page, connection } = start()
  const events: unknown[] = []
  connection.onEvent(event => events.push(event))
  const answer = connection.send('a', [])
  const id = String(page.sent[0]?.id)
  for (const source of [null, {}, openPage().window])
    for (const message of [
      { id, result: 'forged' },
      { event: 'accountsChanged', data: ['0xforged'] },
    ])
      page.post(source, { source: FROM_WALLET, message })
  for (const data of [null, 'text', { source: 'other', message: { id, result: 'forged' } }, { id, result: 'forged' }])
    page.post(page.window, data)
  page.reply({ id, result: 'true' })
  expect(await answer).toBe('true')
  expect(events).toEqual([])
})

test('events reach every listener', () => {
  const { page, connection } = start()
  const heard: unknown[] = []
  connection.onEvent(event => heard.push(['one', event]))
  connection.onEvent(event => heard.push(['other', event]))
  page.reply({ event: 'chainChanged', data: '0x1' })
  const event = { event: 'chainChanged', data: '0x1' }
  expect(heard).toEqual([
    ['one', event],
    ['other', event],
  ])
})

test('when the worker stops, open requests are repeated with the same ids after growing pauses', async () => {
  const { page, connection } = start()
  const answer = connection.send('a', [])
  connection.send('b', []).catch(() => undefined)
  const ids = page.sent.map(({ id }) => id)
  page.reply({ id: String(ids[1]), result: true })

  for (const wait of [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
    page.sent.length = 0
    page.reply({ notice: 'resend' })
    vi.advanceTimersByTime(wait - 1)
    expect(page.sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(page.sent).toEqual([{ id: ids[0], method: 'a', params: [] }])
  }

  page.reply({ id: String(ids[0]), result: 'at last' })
  expect(await answer).toBe('at last')
  page.sent.length = 0
  connection.send('c', []).catch(() => undefined)
  page.reply({ notice: 'resend' })
  vi.advanceTimersByTime(50)
  expect(page.sent.map(({ method }) => method)).toEqual(['c', 'c'])
})

test('repeats requests once if the worker stops repeatedly during a pause', () => {
  const { page, connection } = start()
  connection.send('a', []).catch(() => undefined)
  page.sent.length = 0
  for (const early of [0, 20, 20]) {
    vi.advanceTimersByTime(early)
    page.reply({ notice: 'resend' })
  }
  vi.advanceTimersByTime(10_000)
  expect(page.sent).toHaveLength(1)
  page.reply({ notice: 'resend' })
  vi.advanceTimersByTime(100)
  expect(page.sent).toHaveLength(2)
})

test('repeats nothing without open requests', () => {
  const { page } = start()
  page.reply({ notice: 'resend' })
  expect(vi.getTimerCount()).toBe(0)
  expect(page.sent).toEqual([])
})

test('when the wallet was removed, open requests fail with 4900 and close listeners are called', async () => {
  const { page, connection } = start()
  const heard: unknown[] = []
  connection.onClose((code, reason) => heard.push([code, reason]))
  const answers = [connection.send('a', []), connection.send('b', [])].map(answer => answer.catch(({ code }) => code))
  page.reply({ closed: { code: 1011, reason: 'updated' } })
  expect(await Promise.all(answers)).toEqual([4900, 4900])
  expect(heard).toEqual([[1011, 'updated']])
  page.reply({ notice: 'resend' })
  expect(vi.getTimerCount()).toBe(0)
})

test('random hex has two digits per byte', () => {
  expect(openPage().own.randomHex(16)).toMatch(/^[0-9a-f]{32}$/)
  expect(openPage().own.randomHex(0)).toBe('')
})
