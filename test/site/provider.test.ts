/** The page code of start-developer.md, with the built wallet in Chromium. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyMessage } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approve } from '../e2e/deciding.ts'
import { mouse } from '../e2e/input-devices.ts'
import { ADDRESS, importWallet, type Person, startPerson } from '../e2e/person.ts'
import { read } from '../house/sources.ts'
import { codeBlocks } from './blocks.ts'

const PATIENCE = 240_000

let person: Person
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  person = await startPerson()
}, PATIENCE)
afterAll(async () => {
  await person?.leave()
  server.close()
})

test('finds the wallet, connects and signs', { timeout: PATIENCE }, async () => {
  await importWallet(person)
  const page = await person.context.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const blocks = codeBlocks(read('docs/start-developer.md')).filter(({ lang }) => lang === 'js')
  expect(blocks).toHaveLength(1)
  const [code = ''] = blocks.map(({ text }) => text)

  // The test returns the value of the last line, which a console would show.
  const script = code.replace(/\n(?=[^\n]*$)/, '\nreturn ')
  const signatures: Promise<string>[] = []
  const connecting = await person.approval(async () => {
    signatures.push(page.evaluate<string>(`(async () => { ${script} })()`))
  })
  const signing = await person.approval(() => approve(mouse, connecting, 'Connect'))
  await approve(mouse, signing)
  const [signature = ''] = await Promise.all(signatures)
  expect(verifyMessage('Hello', signature)).toBe(ADDRESS)
})
