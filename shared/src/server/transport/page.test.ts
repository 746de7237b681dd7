import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { local } from './caller.fixture.ts'
import type { Reply, Request } from './http.ts'
import { pageRoute, readPage } from './page.ts'

const HTML = '<style>\n  a { b: c }\n</style><script>\n  d()\n</script><script>e()</script>'

const get = (token: string | undefined, authorization?: string): Reply => {
  const headers = new Map(authorization === undefined ? [] : [['authorization', authorization]])
  const request: Request = {
    method: 'GET',
    path: '/',
    query: new URLSearchParams(),
    headers,
    caller: local,
    body: undefined,
  }
  return pageRoute(HTML, token).GET?.(request) as Reply
}

test('the policy allows the inline code by hash, and no other resources', () => {
  const { status, headers, body } = get(undefined)
  expect([status, body]).toEqual([200, HTML])
  const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
  expect(headers['Content-Security-Policy']?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hash('\n  d()\n')} ${hash('e()')}`,
    `style-src ${hash('\n  a { b: c }\n')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
})

test('style sheets and scripts are inlined unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  const html = '<link rel="stylesheet" href="a.css" /><link rel="icon" href="data:," /><script src="./b.js"></script>'
  await writeFile(join(folder, 'page.html'), html)
  await writeFile(join(folder, 'a.css'), 'a { b: c }')
  await writeFile(join(folder, 'b.js'), "d('$&', '$1')")
  expect(readPage(pathToFileURL(join(folder, 'page.html')))).toBe(
    `<style>a { b: c }</style><link rel="icon" href="data:," /><script>d('$&', '$1')</script>`,
  )
  await rm(folder, { recursive: true })
})

test.each([
  [undefined, undefined, 200],
  [undefined, 'Bearer anything', 200],
  ['sesame', undefined, 401],
  ['sesame', 'Bearer sesam', 401],
  ['sesame', 'Bearer sesames', 401],
  ['sesame', 'Basic sesame', 401],
  ['sesame', 'sesame', 401],
  ['sesame', 'Bearer ', 401],
  ['sesame', 'Bearer sesame', 200],
  ['sesame', 'bearer  sesame', 200],
])('with the token %j, %j gets %i', (token, authorization, status) => {
  const reply = get(token, authorization)
  expect(reply.status).toBe(status)
  expect(reply.headers['WWW-Authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
})
