/**
 * Checks the runbook: it has an entry for each alert, its links lead to existing headings, and it quotes what servers
 * print.
 */
import { variableOf } from '@heliograph/shared/server/process/config'
import { expect, test } from 'vitest'
import { bridgeRows } from '../../bridge-server/src/config.ts'
import { relayRows } from '../../relay-server/src/config.ts'
import { readAlerts } from '../support/deploy.ts'
import { filesBelow, read } from './sources.ts'

const RUNBOOK = 'docs/runbook.md'
const text = read(RUNBOOK)

/** Returns a heading's anchor, as GitHub derives it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
const headingsOf = (document: string): string[] =>
  [...document.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => heading)

test("each alert's annotation links to its entry, and each entry has an alert", () => {
  const alerts = readAlerts()
  const entries = headingsOf(text).filter(heading => heading.startsWith('Heliograph'))
  expect(entries.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  for (const { alert, annotations } of alerts) expect(annotations.runbook).toBe(`${RUNBOOK}#${anchorOf(alert)}`)
})

test('its links lead to headings', () => {
  const links = [...text.matchAll(/\]\(([\w.-]*)#([\w-]+)\)/g)]
  expect(links.length).toBeGreaterThan(30)
  const broken = links.filter(([, file = '', anchor = '']) => {
    const document = file === '' ? text : read(`docs/${file}`)
    return !headingsOf(document).map(anchorOf).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test('servers write each quoted log line', () => {
  const sources = ['shared/src/server', 'relay-server/src', 'bridge-server/src']
    .flatMap(folder => filesBelow(folder))
    .filter(path => path.endsWith('.ts'))
    .map(read)
    .join('\n')
  const [, table = ''] = text.split('## Lines in the log')
  const lines = [...table.matchAll(/^\| (`.+?`) \| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
  )
  expect(lines.length).toBeGreaterThan(15)
  expect(lines.filter(line => line !== 'msg' && !sources.includes(`'${line}'`))).toEqual([])
})

test('it names only existing settings and metrics', () => {
  const known = new Set([
    ...Object.keys(relayRows).map(name => variableOf('RELAY', name)),
    ...Object.keys(bridgeRows).map(name => variableOf('BRIDGE', name)),
  ])
  const named = [...text.matchAll(/\b(?:RELAY|BRIDGE)_[A-Z_]+\b/g)].map(([name]) => name)
  expect(named.filter(name => !known.has(name))).toEqual([])
  const metrics = read('docs/metrics.md')
  const shown = [...text.matchAll(/`(heliograph_\w+)`/g)].map(([, name = '']) => name)
  expect(shown.length).toBeGreaterThan(5)
  expect(shown.filter(name => !metrics.includes(`\`${name}\``))).toEqual([])
})
