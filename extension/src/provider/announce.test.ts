import { expect, test } from 'vitest'
import { announceProvider } from './announce.ts'
import { connectWallet } from './connection.ts'
import { openPage, type TestPage } from './page.fixture.ts'
import { createProvider } from './provider.ts'

type Detail = { info: Record<string, string>; provider: unknown }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const listen = (page: TestPage, name: string) => {
  const heard: Event[] = []
  page.window.addEventListener(name, event => heard.push(event))
  return heard
}
const start = (page = openPage()) => {
  const announced = listen(page, 'eip6963:announceProvider')
  const initialized = listen(page, 'ethereum#initialized')
  const provider = createProvider(page.own, connectWallet(page.own))
  announceProvider(page.own, provider)
  const details = () => announced.map(event => (event as CustomEvent<Detail>).detail)
  return { page, provider, details, initialized }
}

test('announces the same provider at once and on every request', () => {
  const { page, provider, details } = start()
  page.window.dispatchEvent(new Event('eip6963:requestProvider'))
  const [first, second] = details()
  expect(details()).toHaveLength(2)
  expect(first).toBe(second)
  expect(first?.provider).toBe(provider)
})

test('the detail conforms to EIP-6963 and is frozen', () => {
  const [detail] = start().details()
  expect(detail?.info).toEqual({
    uuid: expect.stringMatching(UUID),
    name: 'Heliograph',
    icon: expect.stringMatching(/^data:image\/svg\+xml,/),
    rdns: expect.stringMatching(/^[a-z]+(\.[a-z]+)+$/),
  })
  expect([Object.isFrozen(detail), Object.isFrozen(detail?.info)]).toEqual([true, true])
})

test('each page has its own valid uuid, for any random bits', () => {
  const uuids = Array.from({ length: 200 }, () => start().details()[0]?.info.uuid)
  expect(new Set(uuids).size).toBe(200)
  for (const uuid of uuids) expect(uuid).toMatch(UUID)
})

test('sets window.ethereum if it is unset, and a page may replace it', () => {
  const { page, provider, initialized } = start()
  expect(page.window.ethereum).toBe(provider)
  expect(initialized).toHaveLength(1)
  const described = Object.getOwnPropertyDescriptor(page.window, 'ethereum')
  expect(described).toMatchObject({ configurable: true, writable: true, enumerable: true })
})

test('does not replace another wallet, and is still found by EIP-6963', () => {
  const page = openPage()
  const other = { isOther: true }
  Object.defineProperty(page.window, 'ethereum', { value: other })
  const { details, initialized } = start(page)
  expect(page.window.ethereum).toBe(other)
  expect(initialized).toEqual([])
  expect(details()).toHaveLength(1)
})

test('is found by EIP-6963 if window.ethereum cannot be set', () => {
  const page = openPage()
  Object.preventExtensions(page.window)
  const { provider, details, initialized } = start(page)
  expect('ethereum' in page.window).toBe(false)
  expect(initialized).toEqual([])
  page.window.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(details().map(detail => detail.provider)).toEqual([provider, provider])
})
