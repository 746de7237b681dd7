/** Tests which apps are opened and closed, with fake apps. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../process/log.ts'
import { type Apps, openApps } from './apps.ts'
import { writeCertificate } from './certificate.fixture.ts'

const recorded = vi.hoisted(() => ({ opened: 0, closed: 0, onOpen: (): void => undefined }))
vi.mock('./uws.ts', () => ({
  SSLApp: () => {
    recorded.opened += 1
    recorded.onOpen()
    return {
      getDescriptor: () => undefined,
      addChildAppDescriptor: () => undefined,
      removeChildAppDescriptor: () => undefined,
      close: () => {
        recorded.closed += 1
      },
    }
  },
}))

let folder: string
let config: { tlsCert: string; tlsKey: string }
let other: { tlsCert: string; tlsKey: string }
let apps: Apps | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apps-'))
  mkdirSync(join(folder, 'other'))
  config = writeCertificate(folder)
  other = writeCertificate(join(folder, 'other'))
  Object.assign(recorded, { opened: 0, closed: 0, onOpen: () => undefined })
})
afterEach(async () => {
  apps?.stop()
  apps = undefined
  await rm(folder, { recursive: true })
})

const open = (): Apps => {
  apps = openApps({ config, prefix: 'TEST', prepare: () => undefined, log: createLog('test', 'silent') })
  return apps
}
const hangUp = (): void => void process.emit('SIGHUP')
const replaceFiles = (): void => {
  copyFileSync(other.tlsCert, config.tlsCert)
  copyFileSync(other.tlsKey, config.tlsKey)
}

test('SIGHUP opens an app for changed files only, and all apps are closed with the server', () => {
  const { close } = open()
  for (let time = 0; time < 3; time++) hangUp()
  expect(recorded.opened).toBe(1)
  replaceFiles()
  for (let time = 0; time < 3; time++) hangUp()
  expect(recorded).toMatchObject({ opened: 2, closed: 0 })
  close()
  expect(recorded.closed).toBe(2)
})

test('an app whose files changed while it read them is closed', () => {
  recorded.onOpen = replaceFiles
  expect(open).toThrow('changed while it was read')
  expect(recorded).toMatchObject({ opened: 1, closed: 1 })
})
