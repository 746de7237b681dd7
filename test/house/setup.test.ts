/**
 * Checks the commands of package.json: each passes its own name to setup.js, which installs the programs that this
 * command needs.
 */
import { expect, test } from 'vitest'
import { TOOLS } from '../../programs.js'
import { read } from './sources.ts'

const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

test('a command that runs setup.js passes its own name', () => {
  const named = Object.entries(scripts).flatMap(([name, script]) => {
    const [, command] = /node setup\.js (\S+)/.exec(script) ?? []
    return command === undefined ? [] : [[name, command]]
  })
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(([name, command]) => name !== command)).toEqual([])
})

test('each command that programs.js lists exists', () => {
  expect(Object.keys(TOOLS).filter(command => scripts[command] === undefined)).toEqual([])
})

test('the gate needs only Chromium, and the complete run needs it too', () => {
  expect(TOOLS.test?.map(({ packages: [name] }) => name)).toEqual(['chromium'])
  expect(TOOLS['test:all']).toEqual(expect.arrayContaining(TOOLS.test ?? []))
})
