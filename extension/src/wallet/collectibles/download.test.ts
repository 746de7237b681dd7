import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadWithin } from './download.ts'

let server: Server
let base: string
const asked: { path: string; cookie: string | undefined; referer: string | undefined }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, cookie: request.headers.cookie, referer: request.headers.referer })
    if (path === '/slow') return
    if (path === '/endless') {
      const more = () => response.write(Buffer.alloc(1_000), () => !response.destroyed && setImmediate(more))
      more()
      return
    }
    if (path === '/moved') response.writeHead(302, { location: '/file' })
    if (path === '/missing') response.writeHead(404)
    response.end('abc')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const download = downloadWithin(30_000)

test('a file is read without cookies and without a referrer', async () => {
  expect(await download(`${base}/file`, 3)).toEqual(Uint8Array.of(97, 98, 99))
  expect(asked.at(-1)).toEqual({ path: '/file', cookie: undefined, referer: undefined })
})

test('the download of a file that is too large is aborted, even if it never ends', async () => {
  expect(await download(`${base}/file`, 2)).toBeNull()
  expect(await download(`${base}/endless`, 5_000)).toBeNull()
})

test('redirects are not followed', async () => {
  const before = asked.length
  await expect(download(`${base}/moved`, 100)).rejects.toThrow()
  expect(asked.slice(before).map(({ path }) => path)).toEqual(['/moved'])
})

test('an error status fails, and so does a gateway that does not respond', async () => {
  await expect(download(`${base}/missing`, 100)).rejects.toThrow('404')
  await expect(downloadWithin(200)(`${base}/slow`, 100)).rejects.toThrow()
})
