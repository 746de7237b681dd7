/** The commands of package.json: each makes the machine ready under its own name, by which setup.js knows the programs it needs. */
import { expect, test } from 'vitest'
import { TOOLS } from '../../setup.js'
import { read } from './sources.ts'

const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

test('a command that needs this setup names itself to it', () => {
  const named = Object.entries(scripts).flatMap(([name, script]) => {
    const [, command] = /node setup\.js (\S+)/.exec(script) ?? []
    return command === undefined ? [] : [[name, command]]
  })
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(([name, command]) => name !== command)).toEqual([])
})

test('each command whose programs setup.js lists exists', () => {
  expect(Object.keys(TOOLS).filter(command => scripts[command] === undefined)).toEqual([])
})

test('the gate needs Chromium and nothing else, and the complete run needs it too', () => {
  expect(TOOLS.test?.map(({ packages: [name] }) => name)).toEqual(['chromium'])
  expect(TOOLS['test:all']).toEqual(expect.arrayContaining(TOOLS.test ?? []))
})
