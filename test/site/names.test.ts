/**
 * Names in the documents that running the commands does not check: scripts, files, flags, variables, and texts and
 * keys of the wallet.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { variableOf } from '@heliograph/shared/server/process/config'
import { describe, expect, test } from 'vitest'
import { bridgeRows } from '../../bridge-server/src/config.ts'
import { STARTS } from '../../deploy/site/navigation.ts'
import { documentPaths } from '../../deploy/site/sources.ts'
import texts from '../../extension/public/_locales/en/messages.json' with { type: 'json' }
import manifest from '../../manifest.json' with { type: 'json' }
import { relayRows } from '../../relay-server/src/config.ts'
import { read } from '../house/sources.ts'
import { root } from '../support/root.ts'
import { codeBlocks } from './blocks.ts'

const documents = documentPaths().map(path => ({ path, text: read(path) }))

/** Info strings of blocks that are not commands: output, configuration, code of a dApp or of a receiver. */
const OTHER_MARKS = ['text', 'js', 'jsonc', 'yaml']
/** Matches a command, but not a line of a list in which a description follows after several spaces. */
const COMMAND = /^(?:npm|npx|node|git|cd|curl|docker|systemctl|kubectl|gh|cp|mkdir|echo) (?!.* {2,}\S)/m

test('no block without an info string contains a command', () => {
  const wrong = documents.flatMap(({ path, text }) =>
    codeBlocks(text)
      .filter(({ lang = '', text: code }) => lang === '' && COMMAND.test(code))
      .map(({ text: code }) => `${path}: ${code}`),
  )
  expect(wrong).toEqual([])
  const marks = STARTS.pages.flatMap(path => codeBlocks(read(path)).map(({ lang = '' }) => lang))
  expect(marks.filter(mark => ![...OTHER_MARKS, 'sh', 'sh server'].includes(mark))).toEqual([])
})

const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

test.each(documents)('each npm command that $path names exists', ({ text }) => {
  const named = [...text.matchAll(/npm run ([a-z][\w:]*)/g)].map(([, name = '']) => name)
  expect(named.filter(name => scripts[name] === undefined)).toEqual([])
})

test('each npm command starts files that exist', () => {
  const started = Object.values(scripts).flatMap(script => script.match(/[\w/.-]+\.(?:ts|js|mjs)\b/g) ?? [])
  expect(started.length).toBeGreaterThan(20)
  expect(started.filter(file => !existsSync(join(root, file)))).toEqual([])
})

describe('settings', () => {
  const rows = { relay: relayRows, bridge: bridgeRows }
  /** Flags of a server that are commands instead of settings. */
  const COMMANDS = ['help', 'version', 'check-config', 'check', 'repair', 'backup', 'import', 'export']
  const flagOf = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

  test.each(documents)('each flag of a server that $path names exists', ({ text }) => {
    const calls = [...text.matchAll(/(?:^|`)(?:npm run |heliograph-)(relay|bridge) (?:-- )?(--[^\n`;|)]+)/gm)]
    const wrong = calls.flatMap(([, server, flags = '']) => {
      const known = [...COMMANDS, ...Object.keys(server === 'relay' ? rows.relay : rows.bridge).map(flagOf)]
      return [...flags.matchAll(/--([a-z-]+)/g)].map(([, flag = '']) => flag).filter(flag => !known.includes(flag))
    })
    expect(wrong).toEqual([])
  })

  test.each(STARTS.pages)('each variable that %s names exists', path => {
    const known = new Set([
      ...Object.keys(relayRows).map(name => variableOf('RELAY', name)),
      ...Object.keys(bridgeRows).map(name => variableOf('BRIDGE', name)),
    ])
    const named = [...read(path).matchAll(/\b(?:RELAY|BRIDGE)_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter(name => !known.has(name))).toEqual([])
  })
})

test('buttons and keys of the wallet that a quick start names in bold exist', () => {
  const keys = Object.values(manifest.commands).map(command => command.suggested_key.default)
  const known = new Set([...Object.values(texts).map(({ message }) => message), ...keys])
  const named = ['docs/start-person.md', 'docs/start-developer.md'].flatMap(path =>
    [...read(path).matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name.replace(/\s+/g, ' ')),
  )
  const browsers = ['Chromium', 'Firefox']
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter(name => !known.has(name) && !browsers.includes(name))).toEqual([])
})
