import { expect, test } from 'vitest'
import { announceProvider } from './announce.ts'
import { connectWallet } from './connection.ts'
import { showAsEthereum, showAsMetaMask, withOwnProvider } from './own.ts'
import { openPage, type TestPage } from './page.fixture.ts'
import { createProvider, type Provider } from './provider.ts'

const inject = ({ own }: TestPage): Provider => {
  const provider = createProvider(own, connectWallet(own))
  announceProvider(own, provider)
  return provider
}
const announceOther = ({ window }: TestPage, rdns: string) => {
  const detail = { info: { rdns }, provider: { isOther: true } }
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}

test('finds this provider once, in any script order, and no other wallet', () => {
  for (const order of ['before', 'after']) {
    const page = openPage()
    const found: unknown[] = []
    const listen = () => withOwnProvider(page.window, provider => found.push(provider))
    if (order === 'before') listen()
    announceOther(page, 'org.other.wallet')
    const provider = inject(page)
    if (order === 'after') listen()
    page.window.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(found, order).toEqual([provider])
  }
})

test('sets isMetaMask and changes nothing else', () => {
  const provider = inject(openPage())
  expect('isMetaMask' in provider).toBe(false)
  showAsMetaMask(provider)
  expect(provider).toMatchObject({ isMetaMask: true, isHeliograph: true })
})

test('replaces another wallet in window.ethereum, and may be replaced itself', () => {
  const page = openPage()
  page.window.ethereum = { isOther: true }
  const heard: unknown[] = []
  page.window.addEventListener('ethereum#initialized', () => heard.push(page.window.ethereum))
  const provider = inject(page)
  expect(page.window.ethereum).toEqual({ isOther: true })
  showAsEthereum(page.window, provider)
  expect(page.window.ethereum).toBe(provider)
  expect(heard).toEqual([provider])
  page.window.ethereum = { isOther: true }
  expect(page.window.ethereum).toEqual({ isOther: true })
})

test('does nothing if another wallet has fixed window.ethereum', () => {
  const page = openPage()
  Object.defineProperty(page.window, 'ethereum', { value: { isOther: true } })
  const provider = inject(page)
  showAsEthereum(page.window, provider)
  expect(page.window.ethereum).toEqual({ isOther: true })
})
