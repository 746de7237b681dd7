/** Checks that the benchmark runs and prints a table of its measurements. Does not check speed. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Measured, tableOf, writeInto } from './report.ts'
import type { Row } from './rows.ts'

const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const run = (name: string, ...args: string[]): Promise<{ failed: boolean; out: string; err: string }> =>
  new Promise(resolve => {
    execFile(process.execPath, ['--import', 'tsx', scriptOf(name), ...args], (failure, out, err) =>
      resolve({ failed: failure !== null, out, err }),
    )
  })

const bench = (...args: string[]) => run('main.ts', ...args)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a row is measured on both servers, without a lost or wrong message', { timeout: 400_000 }, async () => {
  const { failed, out, err } = await bench('--rows', 'b1', '--rounds', '1', '--seconds', '1', '--json')
  expect(failed, err).toBe(false)
  const measured = JSON.parse(out)
  expect(measured.map(({ name, ours, raw }: Measured) => [name, ours.length, raw.length])).toEqual([['b1', 1, 1]])
  for (const sample of measured.flatMap(({ ours, raw }: Measured) => [...ours, ...raw])) {
    expect(sample).toMatchObject({ lost: 0, wrong: 0 })
    expect(sample.perCore).toBeGreaterThan(0)
  }
})

test('relays on one Redis server are measured, without a lost or wrong message', { timeout: 400_000 }, async () => {
  const { failed, out, err } = await run(
    'nodes-main.ts',
    '--only',
    '2 relays, Redis',
    '--rounds',
    '1',
    '--seconds',
    '1',
  )
  expect(failed, err).toBe(false)
  expect(out).toMatch(/^\| 2 relays, Redis \| [\d,.]+ \| [\d,.]+ \|/m)
})

test.each([
  [['--rows', 'w1,w9'], '--rows: "w9" must be one of w1, '],
  [['--rounds', '0'], '--rounds: "0" must be a whole number from 1 to 9999\n'],
  [['--fast'], "Unknown option '--fast'"],
])('%j exits with 1 and prints the reason', async (args, words) => {
  const { failed, out, err } = await bench(...args)
  expect([failed, out]).toEqual([true, ''])
  expect(err).toContain(words)
})

describe('the table', () => {
  const measure = () => Promise.resolve({})
  const row = (figures: Row['figures']): Row => ({ ours: measure, raw: measure, figures })

  test("a ratio is the median of the rounds' ratios, and its limits are ratios", () => {
    const rows = { w1: row([{ what: 'speed', key: 'speed', isRatio: true, floor: 0.3, goal: 0.45 }]) }
    const speeds = (...values: number[]) => values.map(speed => ({ speed }))
    const table = tableOf(rows, [{ name: 'w1', ours: speeds(10, 1500, 300), raw: speeds(20, 1500, 1000) }])
    expect(table.split('\n')).toEqual([
      '| row | what  | ours | raw server | result | floor   | goal     |',
      '| --- | ----- | ---- | ---------- | ------ | ------- | -------- |',
      '| w1  | speed | 300  | 1,000      | 0.5 ×  | ≥ 0.3 × | ≥ 0.45 × |',
    ])
  })

  test('a figure without comparison has a unit, and lower is better if the goal is below the floor', () => {
    const rows = { w3: row([{ what: 'memory', key: 'kib', unit: 'KiB', floor: 5, goal: 3.5 }]) }
    const table = tableOf(rows, [{ name: 'w3', ours: [{ kib: 4 }, { kib: 4.5 }], raw: [] }])
    expect(table).toContain('| w3  | memory | 4.25 KiB |            | 4.25 KiB | ≤ 5 KiB | ≤ 3.5 KiB |')
  })

  test('it replaces the previous table in a document, which must have one', async () => {
    const path = join(folder, 'a.md')
    const [begin, end] = ['<!-- begin of the measurement -->', '<!-- end of the measurement -->']
    await writeFile(path, `before\n${begin}\nold\n${end}\nafter\n`)
    writeInto(path, 'first')
    writeInto(path, 'second')
    expect(await readFile(path, 'utf8')).toBe(`before\n${begin}\n\nsecond\n\n${end}\nafter\n`)
    await writeFile(path, 'no place')
    expect(() => writeInto(path, 'third')).toThrow(/has no place for a measurement/)
  })
})
