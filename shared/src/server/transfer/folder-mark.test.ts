import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginMark, readMark, refuseMoved, removeMark, writeMark } from './folder-mark.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mark-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a folder without a mark may be used', () => {
  expect(readMark(folder)).toBeUndefined()
  expect(() => refuseMoved(folder)).not.toThrow()
})

test('a repeated attempt keeps the id of the transfer, and a new transfer has another id', () => {
  const first = beginMark(folder, 'import')
  expect(beginMark(folder, 'import')).toEqual(first)
  expect(beginMark(folder, 'export').id).not.toBe(first.id)
})

test('a folder that was exported to and is imported later has a new id', () => {
  const mark = beginMark(folder, 'export')
  writeMark(folder, { ...mark, isDone: true, lines: ['1 topics'] })
  expect(() => refuseMoved(folder)).not.toThrow()
  expect(beginMark(folder, 'import').id).not.toBe(mark.id)
})

test('a server refuses a folder that was moved to Redis, and an incomplete export', () => {
  const mark = beginMark(folder, 'import')
  expect(() => refuseMoved(folder)).toThrow('its contents were moved to Redis')
  writeMark(folder, { ...mark, isDone: true })
  expect(() => refuseMoved(folder)).toThrow('its contents were moved to Redis')
  beginMark(folder, 'export')
  expect(() => refuseMoved(folder)).toThrow('the export from Redis to it is not complete')
  removeMark(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('an unreadable mark is an error that names the file', () => {
  writeFileSync(join(folder, 'transfer.json'), '{')
  expect(() => refuseMoved(folder)).toThrow(`${join(folder, 'transfer.json')} cannot be read: `)
})
