/** Reads the files for operators in deploy/ as data. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './root.ts'

const text = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

const Rule = v.strictObject({
  alert: v.pipe(v.string(), v.regex(/^Heliograph[A-Z]\w+$/)),
  expr: v.string(),
  for: v.optional(v.pipe(v.string(), v.regex(/^\d+[smh]$/))),
  labels: v.strictObject({ severity: v.picklist(['page', 'ticket']) }),
  annotations: v.strictObject({ summary: v.string(), description: v.string(), runbook: v.string() }),
})
const Rules = v.strictObject({
  groups: v.array(v.strictObject({ name: v.string(), rules: v.array(Rule) })),
})

/** Returns all alerts. Throws if the file has a field that Prometheus does not know. */
export const readAlerts = () =>
  v.parse(Rules, parse(text('prometheus/alerts.yml'))).groups.flatMap(({ rules }) => rules)

const Position = v.object({ x: v.number(), y: v.number(), w: v.number(), h: v.number() })
const Target = v.object({ refId: v.string(), expr: v.string(), legendFormat: v.string() })
const Panel = v.object({
  id: v.number(),
  type: v.picklist(['row', 'stat', 'timeseries']),
  title: v.string(),
  gridPos: Position,
  datasource: v.optional(v.object({ type: v.literal('prometheus'), uid: v.literal('$'.concat('{datasource}')) })),
  targets: v.optional(v.array(Target), []),
})
const Dashboard = v.object({
  uid: v.string(),
  title: v.string(),
  templating: v.object({ list: v.array(v.object({ name: v.string(), query: v.unknown() })) }),
  panels: v.array(Panel),
})

export const readDashboard = () => v.parse(Dashboard, JSON.parse(text('grafana/heliograph.json')))

/** Returns the names of the metrics in an expression. The parts of a histogram count as the histogram. */
export const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:heliograph|process|nodejs)_\w+|\bup\b/g)].map(([name]) =>
    name.replace(/_(?:bucket|count|sum)$/, ''),
  )

/** Returns all documents of a file of deploy/kubernetes. Throws if a document is not valid YAML. */
export const readManifests = (name: string): unknown[] =>
  parseAllDocuments(text(`kubernetes/${name}`)).map(document => {
    const [error] = document.errors
    if (error) throw error
    return document.toJS()
  })
