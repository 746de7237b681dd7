import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResolve } from './resolve.ts'

let folder: string
let hosts: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resolve-'))
  hosts = join(folder, 'hosts')
  await writeFile(
    hosts,
    '127.0.0.1\tlocalhost\n# 192.0.2.9 push.invalid\n192.0.2.1 other.invalid  Push.invalid # ours\nfd00::7 push.invalid\nx push.invalid\n',
  )
})
afterAll(() => rm(folder, { recursive: true }))

test('looks up a name unknown to DNS in the hosts file', async () => {
  expect(await createResolve(hosts)('push.invalid')).toEqual(['192.0.2.1', 'fd00::7'])
})

test('fails for an unknown name', async () => {
  for (const resolve of [createResolve(hosts), createResolve(join(folder, 'none'))])
    await expect(resolve('unknown.invalid')).rejects.toThrow('the name has no address')
})
