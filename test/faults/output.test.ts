/**
 * A server that cannot write its output, because the reader has exited or the disk is full. It still serves clients.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCertificate } from '@heliograph/shared/server/transport/certificate.fixture'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { spawnWithOutput } from '../support/output.ts'

let folder: string
let child: ChildProcess | undefined
let port: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-'))
  port = await freePort()
})
afterEach(async () => {
  if (child && child.exitCode === null) {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  child = undefined
  await rm(folder, { recursive: true })
})

/** Starts a relay with these output streams. It uses TLS, because it then logs a line on each SIGHUP. */
const start = async (stdout: number | 'pipe', stderr: number | 'pipe') => {
  const { tlsCert, tlsKey } = writeCertificate(folder)
  const flags = ['--port', `${port}`, '--data-dir', join(folder, 'data'), '--tls-cert', tlsCert, '--tls-key', tlsKey]
  child = await spawnWithOutput('relay-server', flags, [stdout, stderr])
  return child
}
const hello = (): Promise<number | undefined> =>
  new Promise(resolve => {
    get(`https://127.0.0.1:${port}/hello`, { rejectUnauthorized: false, agent: false }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', () => resolve(undefined))
  })
const serves = () => expect.poll(hello).toBe(200)

/** Makes the relay write several log lines. */
const log = async (): Promise<void> => {
  for (let line = 0; line < 5; line++) {
    child?.kill('SIGHUP')
    await serves()
  }
}

test('a reader that exits before the server starts', async () => {
  const { stdout, stderr } = await start('pipe', 'pipe')
  stdout?.destroy()
  stderr?.destroy()
  await serves()
  await log()
  expect(child?.exitCode).toBeNull()
})

test('a reader that exits while the server runs', async () => {
  const { stdout, stderr } = await start('pipe', 'pipe')
  await serves()
  stdout?.destroy()
  stderr?.destroy()
  await log()
  expect(child?.exitCode).toBeNull()
})

test('a full disk', async () => {
  const full = openSync('/dev/full', 'w')
  await start(full, full)
  closeSync(full)
  await serves()
  await log()
  expect(child?.exitCode).toBeNull()
})

test('after logrotate copies and truncates the file, later lines start at its beginning', async () => {
  const path = join(folder, 'relay.log')
  const file = openSync(path, 'a')
  await start(file, file)
  closeSync(file)
  await serves()
  await log()
  truncateSync(path)
  child?.kill('SIGHUP')
  await expect.poll(() => readFileSync(path, 'utf8')).toMatch(/^\{"level":30,.*\}\n$/)
})
