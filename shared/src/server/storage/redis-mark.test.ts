import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isOnRedis, markRedis } from './redis-mark.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redis-mark-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a folder has the mark if its last server stores in Redis; otherwise no file remains', () => {
  expect(isOnRedis(folder)).toBe(false)
  for (let start = 0; start < 2; start++) {
    markRedis(folder, true)
    expect(isOnRedis(folder)).toBe(true)
  }
  for (let start = 0; start < 2; start++) {
    markRedis(folder, false)
    expect([isOnRedis(folder), readdirSync(folder)]).toEqual([false, []])
  }
})
