/** The checked rights cover all commands in the sources. test/redis/rights.test.ts tests users of a Redis server. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyedCommands } from './rights.ts'

const root = join(import.meta.dirname, '../../../..')
/** Commands without a key, and commands that are checked separately. */
const OTHERS = new Set(['TIME', 'SPUBLISH', 'EVAL', 'FUNCTION', 'FCALL', 'INFO', 'CONFIG', 'CLUSTER', 'WAIT'])
/** Commands that only transfers send. */
const OF_TRANSFERS = new Set(['ZCOUNT'])

const commandsIn = (folder: string): Set<string> => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter(file => /\.(ts|lua)$/.test(file) && !/\.(test|fixture)\./.test(file))
  const text = sources.map(file => readFileSync(join(root, folder, file), 'utf8')).join('\n')
  const scripted = [...text.matchAll(/redis\.call\('([A-Z]+)'/g)]
  const sent = [...text.matchAll(/(?:send|sendEach)\((?:[^[()]|\([^()]*\))*\['([A-Z]+)'/g)]
  return new Set([...scripted, ...sent].map(([, command = '']) => command))
}

test.each(['relay', 'bridge'])('every command of a %s is checked', server => {
  const used = new Set([...commandsIn('shared/src/server'), ...commandsIn(`${server}-server/src`)])
  expect(used.size).toBeGreaterThan(25)
  const checked = keyedCommands(server)
  expect(
    [...used].filter(command => !OTHERS.has(command) && !OF_TRANSFERS.has(command) && !(command in checked)),
  ).toEqual([])
  expect(Object.keys(checked).filter(command => !used.has(command))).toEqual([])
})
