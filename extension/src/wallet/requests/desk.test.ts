import { expect, test, vi } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { siteRequester } from '../sites/sites.ts'
import { memoryStore, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { SITE } from '../wallet.fixture.ts'
import { createDesk, type DeskParts, OUTCOME_TIME } from './desk.ts'
import type { Drafting } from './draft.ts'
import { storedRequest } from './store.fixture.ts'
import { createRequests, keyOf, type WalletRequest } from './store.ts'

const key = keyOf(SITE, '1')
/** Creates a request that unlocking settles. */
const request = (named = key) => storedRequest({ key: named, effect: { kind: 'unlock' } })
/** Creates a request that unlocking alone does not settle. */
const signing = (named: string) => storedRequest({ key: named })
const prepare = async () => request()

type Made = WalletRequest | { answer: unknown }
type StartParts = Partial<DeskParts> & { carryOut?: Drafting['act']; change?: Drafting['edit'] }

/** Creates a desk with a store, and logs its effects in order. */
const start = ({ carryOut, change, ...parts }: StartParts = {}, session: Store = memoryStore()) => {
  const done: string[] = []
  const note = (what: string) => async () => void done.push(what)
  const requests = createRequests(session)
  const makers = new Map<string, () => Promise<Made>>()
  const unused = async () => Promise.reject(new Error('unused'))
  const drafting: Drafting = {
    begin: async (_, { id }) => ({ draft: async () => (await makers.get(id)?.()) ?? unused() }),
    act:
      carryOut ??
      (async ({ key }) => {
        done.push('carry out')
        return { result: `done ${key}` }
      }),
    edit: change ?? unused,
    unreachable: unused,
    assertAllowed: async () => undefined,
  }
  const desk = createDesk({
    requests,
    drafting,
    inQueue: (_, task) => task(),
    panelOf: async () => null,
    show: note('show'),
    showAgain: note('show again'),
    hide: async () => {
      if ((await requests.open()).length === 0) done.push('hide')
    },
    isUnlocked: async () => true,
    onEnd: async () => undefined,
    ...parts,
  })
  const ask = (named: string, make: () => Promise<Made>) => {
    const id = named.slice(`${SITE} `.length)
    makers.set(id, makers.get(id) ?? make)
    return desk.handle(siteRequester(SITE), { id, method: 'personal_sign' }).finally(() => makers.delete(id))
  }
  return { desk: { ...desk, ask }, requests, session, done }
}

/** Returns a promise, and the function that resolves it. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}

test('a request is shown, decided, executed, hidden and answered in that order', async () => {
  const { desk, done } = start()
  const answer = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  await desk.settleUnlocked()
  expect(await answer).toBe(`done ${key}`)
  expect(done).toEqual(['show', 'carry out', 'hide'])
})

test('an edit that takes longer than another edit, or than the decision, changes nothing', async () => {
  const gates = [gate(), gate()]
  let edits = 0
  const { desk, requests } = start({
    change: async current => {
      edits += 1
      const payload = edits
      await { 1: gates[0], 3: gates[1] }[payload]?.opened
      return { ...current, payload }
    },
  })
  await requests.add(signing(key))
  const overtaken = desk.edit(key, {})
  await expect.poll(() => edits).toBe(1)
  await desk.edit(key, {})
  gates[0]?.open()
  await expect(overtaken).rejects.toMatchObject({ code: -32602, reason: 'requestChanged' })
  expect(await requests.get(key)).toMatchObject({ payload: 2, revision: 1 })

  const late = desk.edit(key, {})
  await expect.poll(() => edits).toBe(3)
  await requests.decide(key, { approve: true, accounts: [] })
  gates[1]?.open()
  await expect(late).rejects.toMatchObject({ code: -32602, reason: 'requestDecided' })
  expect(await requests.get(key)).toMatchObject({ payload: 2, revision: 1 })
})

test('a rejection is 4001 and executes nothing', async () => {
  const { desk, done } = start()
  const answer = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  await desk.end(key)
  await expect(answer).rejects.toMatchObject({ code: 4001 })
  expect(done).toEqual(['show', 'hide'])
})

test('an execution error is the response, also to a repeated request', async () => {
  const { desk, done } = start({
    carryOut: async () => {
      throw rpcError('chainDisconnected', 'sendingUnsure', { network: 'Kaia', hash: '0x' }, { hash: '0x' })
    },
  })
  const answer = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  await desk.settleUnlocked()
  const refused = { code: 4901, reason: 'sendingUnsure', data: { hash: '0x' } }
  await expect(answer).rejects.toMatchObject(refused)
  await expect(desk.ask(key, prepare)).rejects.toMatchObject(refused)
})

test('a request that needs no approval is answered immediately and not stored', async () => {
  const { desk, requests, done } = start()
  expect(await desk.ask(key, async () => ({ answer: ['0x'] }))).toEqual(['0x'])
  expect(await requests.get(key)).toBeUndefined()
  expect(done).toEqual([])
})

test('if preparation fails, all calls that joined the request fail, and it can be repeated', async () => {
  const { desk, requests } = start()
  const ready = gate()
  const fails = async () => {
    await ready.opened
    throw rpcError('invalidParams', 'requestGone')
  }
  const both = [desk.ask(key, fails), desk.ask(key, prepare)]
  ready.open()
  for (const one of both) await expect(one).rejects.toMatchObject({ code: -32602 })
  expect(await requests.get(key)).toBeUndefined()
  expect(await desk.ask(key, async () => ({ answer: 1 }))).toBe(1)
})

test('a call with the key of a request in progress joins it, and a later call starts a new request', async () => {
  const { desk } = start()
  let started = 0
  const begin = async () => ({ answer: ++started })
  const other = keyOf(SITE, '2')
  expect(await Promise.all([desk.ask(key, begin), desk.ask(key, begin), desk.ask(other, begin)])).toEqual([1, 1, 2])
  expect(await desk.ask(key, begin)).toBe(3)
})

test('a request that was withdrawn during preparation can be repeated', async () => {
  const { desk } = start()
  await desk.end(key)
  const withdrawn = desk.ask(key, prepare)
  await desk.end(key)
  await expect(withdrawn).rejects.toMatchObject({ code: 4001 })
  expect(await desk.ask(key, async () => ({ answer: 1 }))).toBe(1)
})

test('a request whose page closes during the preparation is never shown', async () => {
  const { desk, requests, done } = start()
  const [begun, ready] = [gate(), gate()]
  const answer = desk.ask(key, async () => {
    begun.open()
    await ready.opened
    return request()
  })
  await begun.opened
  await desk.end(key)
  ready.open()
  await expect(answer).rejects.toMatchObject({ code: 4001 })
  expect(await requests.get(key)).toBeUndefined()
  expect(done).toEqual([])
})

test('closing a page withdraws its requests that are shown, prepared or queued', async () => {
  const [begun, ready, turn] = [gate(), gate(), gate()]
  let isFull = false
  const { desk, requests, done } = start({ inQueue: (_, task) => (isFull ? turn.opened.then(task) : task()) })
  const keyed = (id: string) => [keyOf(SITE, id), async () => request(keyOf(SITE, id))] as const
  const shown = desk.ask(...keyed('shown'))
  const other = desk.ask(...keyed('of another page'))
  await expect.poll(() => done).toEqual(['show', 'show'])
  const prepared = desk.ask(keyOf(SITE, 'prepared'), async () => {
    begun.open()
    await ready.opened
    return request(keyOf(SITE, 'prepared'))
  })
  await begun.opened
  isFull = true
  const inLine = desk.ask(keyOf(SITE, 'in line'), () => Promise.reject(new Error('it began')))
  await desk.abandon(['shown', 'prepared', 'in line', 'unknown'].map(id => keyOf(SITE, id)))
  ready.open()
  turn.open()
  for (const gone of [shown, prepared, inLine]) await expect(gone).rejects.toMatchObject({ code: 4001 })
  expect((await requests.open()).map(({ key }) => key)).toEqual([keyOf(SITE, 'of another page')])
  await desk.settleUnlocked()
  expect(await other).toBe(`done ${keyOf(SITE, 'of another page')}`)
})

test('a decision about a request that is being prepared is ignored', async () => {
  const { desk, done } = start()
  const [begun, ready] = [gate(), gate()]
  const answer = desk.ask(key, async () => {
    begun.open()
    await ready.opened
    return request()
  })
  await begun.opened
  await desk.settleUnlocked()
  ready.open()
  await expect.poll(() => done).toEqual(['show'])
  await desk.end(key)
  await expect(answer).rejects.toMatchObject({ code: 4001 })
})

test('a request that cannot be shown fails', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { desk, requests } = start({
    show: async () => {
      throw nodeError({ code: -32603, message: 'no window' })
    },
  })
  await expect(desk.ask(key, prepare)).rejects.toMatchObject({ message: 'no window' })
  expect(await requests.open()).toEqual([])
  log.mockRestore()
})

test('a decision is executed even if the window does not close', async () => {
  let working = true
  const { desk, done } = start({
    hide: async () => {
      if (!working) throw new Error('no window')
    },
  })
  const answer = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  const other = keyOf(SITE, '2')
  const refused = expect(desk.ask(other, async () => request(other))).rejects.toMatchObject({ code: 4001 })
  await expect.poll(() => done).toEqual(['show', 'show'])
  working = false
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(desk.end(other)).rejects.toThrow('no window')
  await refused
  await desk.settleUnlocked()
  expect(await answer).toBe(`done ${key}`)
  log.mockRestore()
})

test('a request that arrives while the window closes is shown', async () => {
  const [begun, hiding] = [gate(), gate()]
  const { desk, requests, done } = start({
    hide: async () => {
      begun.open()
      await hiding.opened
      done.push('hide')
    },
  })
  const first = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  const decided = desk.settleUnlocked()
  await begun.opened
  const other = keyOf(SITE, '2')
  const second = desk.ask(other, async () => request(other))
  await expect.poll(async () => (await requests.open()).map(({ key }) => key)).toEqual([other])
  hiding.open()
  await decided
  await first
  await expect.poll(() => done.filter(step => step !== 'carry out')).toEqual(['show', 'hide', 'show'])
  await desk.end(other)
  await expect(second).rejects.toMatchObject({ code: 4001 })
})

test('the window stays open while another request is open', async () => {
  const { desk, done } = start()
  const other = keyOf(SITE, '2')
  const both = [desk.ask(key, prepare), desk.ask(other, async () => signing(other))]
  await expect.poll(() => done).toEqual(['show', 'show'])
  await desk.settleUnlocked()
  expect(done).toEqual(['show', 'show', 'carry out'])
  await desk.approve(other, [])
  expect(await Promise.all(both)).toEqual([`done ${key}`, `done ${other}`])
})

test('a request repeated after a restart reopens its window without taking the focus', async () => {
  const before = start()
  before.desk.ask(key, prepare)
  await expect.poll(() => before.done).toEqual(['show'])

  const { desk, done } = start({}, before.session)
  const answer = desk.ask(key, async () => Promise.reject(new Error('prepared twice')))
  await expect.poll(() => done).toEqual(['show again'])
  await desk.settleUnlocked()
  expect(await answer).toBe(`done ${key}`)
})

test('a request that is resumed and repeated at the same time is executed only once', async () => {
  const session = memoryStore()
  await createRequests(session).add({ ...request(), decision: { approve: true, accounts: [] } })
  for (let delay = 0; delay < 40; delay++) {
    const copy = memoryStore()
    await copy.set('requests', await session.get('requests'))
    const { desk, done } = start({}, copy)
    const resumed = desk.resume()
    for (let turn = 0; turn < delay; turn++) await Promise.resolve()
    expect(await desk.ask(key, prepare)).toBe(`done ${key}`)
    await resumed
    expect(
      done.filter(step => step !== 'hide'),
      `asked ${delay} turns later`,
    ).toEqual(['carry out'])
  }
})

test('the next worker closes the window of a decided request, unless another request is open', async () => {
  for (const others of [[], [keyOf(SITE, '2')]]) {
    const { desk, requests, done } = start()
    await requests.add({ ...request(), decision: { approve: true, accounts: [] } })
    for (const other of others) await requests.add(request(other))
    await desk.resume()
    await expect.poll(() => done.includes('hide')).toBe(others.length === 0)
    expect(done).toContain('carry out')
  }
})

test('the next worker leaves the window of an undecided request open', async () => {
  const { desk, done } = start()
  await desk.resume()
  expect(done).toEqual([])
})

test('a response that cannot be stored is still returned', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const memory = memoryStore()
  let full = false
  const session: Store = {
    ...memory,
    set: async (name, value) => {
      if (full) throw new Error('quota')
      await memory.set(name, value)
    },
  }
  const { desk, done } = start(
    {
      carryOut: async () => {
        full = true
        return { result: 'signed' }
      },
    },
    session,
  )
  const answer = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  await desk.settleUnlocked()
  expect(await answer).toBe('signed')
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

test('the window stays open until the outcome is known, and closes before the response', async () => {
  const { desk, done } = start()
  const answer = desk.ask(key, prepare).then(() => done.push('answer'))
  await expect.poll(() => done).toEqual(['show'])
  expect(await desk.approve(key, [])).toBeNull()
  await answer
  expect(done).toEqual(['show', 'carry out', 'hide', 'answer'])
})

const failing = async () => {
  throw nodeError({ code: -32003, message: 'nonce too low' })
}
const refused = { code: -32003, reason: 'nodeAnswered', values: { text: 'nonce too low' }, message: 'nonce too low' }

test('a failure within the time limit is shown in the window', async () => {
  const { desk, done } = start({ carryOut: failing })
  const answer = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  const failure = desk.approve(key, [])
  await expect(answer).rejects.toMatchObject(refused)
  expect(await failure).toEqual(refused)
  expect(done).toEqual(['show'])
})

test('a slow execution continues after the window closes', async () => {
  vi.useFakeTimers()
  const ready = gate()
  const { desk, done } = start({ carryOut: () => ready.opened.then(failing) })
  const answer = desk.ask(key, prepare)
  answer.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  const outcome = desk.approve(key, [])
  await vi.advanceTimersByTimeAsync(OUTCOME_TIME - 1)
  expect(done).toEqual(['show'])
  await vi.advanceTimersByTimeAsync(1)
  expect([await outcome, done]).toEqual([null, ['show', 'hide']])
  ready.open()
  vi.useRealTimers()
  await expect(answer).rejects.toMatchObject(refused)
  expect(done).toEqual(['show', 'hide'])
})

test('a request right after the response opens a new window', async () => {
  const { desk, done } = start()
  const other = keyOf(SITE, '2')
  const second = desk.ask(key, prepare).then(() => desk.ask(other, async () => request(other)))
  await expect.poll(() => done).toEqual(['show'])
  await desk.approve(key, [])
  await expect.poll(() => done).toEqual(['show', 'carry out', 'hide', 'show'])
  await desk.approve(other, [])
  expect(await second).toBe(`done ${other}`)
})

test('the window stays open for another request, even if it arrives before the outcome', async () => {
  const ready = gate()
  const { desk, done } = start({ carryOut: () => ready.opened.then(() => ({ result: null })) })
  const other = keyOf(SITE, '2')
  const first = desk.ask(key, prepare)
  await expect.poll(() => done).toEqual(['show'])
  const outcome = desk.approve(key, [])
  const second = desk.ask(other, async () => request(other))
  await expect.poll(() => done).toEqual(['show', 'show'])
  ready.open()
  await Promise.all([first, outcome])
  expect(done).toEqual(['show', 'show'])
  await desk.end(other)
  await expect(second).rejects.toMatchObject({ code: 4001 })
})

test('a repeated approval is executed only once, and returns the same outcome', async () => {
  let times = 0
  const { desk, done } = start({
    carryOut: () => {
      times++
      return failing()
    },
  })
  const answer = desk.ask(key, prepare)
  answer.catch(() => undefined)
  await expect.poll(() => done).toEqual(['show'])
  const both = await Promise.all([desk.approve(key, []), desk.approve(key, [])])
  expect([...both, await desk.approve(key, [])]).toEqual([refused, refused, refused])
  expect([times, done]).toEqual([1, ['show']])
})

test('if the worker stops before the outcome, the next one executes once and updates the window', async () => {
  const before = start({ carryOut: () => new Promise(() => undefined) })
  before.desk.ask(key, prepare)
  await expect.poll(() => before.done).toEqual(['show'])
  void before.desk.approve(key, [])
  await expect.poll(async () => (await before.requests.unfinished()).length).toBe(1)

  let times = 0
  const carryOut = () => {
    times++
    return failing()
  }
  const { desk, done } = start({ carryOut }, before.session)
  const resumed = desk.resume()
  const asked = desk.ask(key, prepare)
  asked.catch(() => undefined)
  expect(await desk.approve(key, [])).toEqual(refused)
  await resumed
  await expect(asked).rejects.toMatchObject(refused)
  expect([times, done.filter(step => step !== 'show again')]).toEqual([1, []])
})
