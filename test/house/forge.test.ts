/**
 * Checks the workflows: they run the project's own commands on the supported versions of Node, with actions pinned by
 * commit.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/root.ts'
import { read } from './sources.ts'

type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
type Job = {
  if?: string
  steps?: Step[]
  uses?: string
  needs?: string[]
  container?: { image: string; options?: string }
  strategy?: { matrix: { node?: string[]; include?: { node: string }[] } }
  'timeout-minutes'?: number
  permissions?: Record<string, string>
}
type Workflow = { permissions: unknown; jobs: Record<string, Job> }

const FOLDER = '.github/workflows'
const names = readdirSync(join(root, FOLDER))
const workflows = new Map(names.map(name => [name, parse(read(`${FOLDER}/${name}`)) as Workflow]))
const jobs = [...workflows].flatMap(([name, workflow]) =>
  Object.entries(workflow.jobs).map(([title, job]) => ({ name: `${name}: ${title}`, job })),
)
const job = (file: string, title: string): Job => {
  const found = workflows.get(file)?.jobs[title]
  if (!found) throw new Error(`${file} has no job ${title}`)
  return found
}

const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

const commandsOf = ({ steps = [] }: Job): string[] => steps.flatMap(({ run }) => run ?? [])

test('a pull request runs the gate, with the same command as everywhere else', () => {
  const gate = job('checks.yml', 'checks')
  expect([gate.if, commandsOf(gate)]).toEqual([undefined, ['.ci/run']])
  expect(read('.ci/run')).toContain('exec npm test\n')
})

test('main and a release run everything else too', () => {
  const complete = job('checks.yml', 'complete')
  expect([complete.if, commandsOf(complete)]).toEqual(["github.event_name != 'pull_request'", ['npm run test:all']])
  expect(job('release.yml', 'checks').uses).toBe('./.github/workflows/checks.yml')
  expect(job('release.yml', 'draft').needs).toContain('checks')
  const release = read('deploy/release/main.ts')
  for (const command of ["carryOut('.ci/run')", "carryOut('npm', 'run', 'test:all')"])
    expect(release).toContain(command)
})

test('checks and packages run on the oldest supported Node and on the Node of the image', () => {
  const image = /node:(\d+\.\d+\.\d+)-/.exec(read('Dockerfile'))?.[1]
  const oldest = /\d+\.\d+/.exec(JSON.parse(read('package.json')).engines.node)?.[0]
  const expected = [`${oldest}.0`, image]
  expect(job('checks.yml', 'checks').strategy?.matrix.node).toEqual(expected)
  const built = job('packages.yml', 'build').strategy?.matrix.include?.map(({ node }) => node)
  expect(built?.toSorted()).toEqual(expected)
})

test('checks and packages run in the pinned base image of the servers', () => {
  const image = /NODE_IMAGE=(\S+)/.exec(read('Dockerfile'))?.[1]
  for (const title of ['checks', 'complete']) expect(job('checks.yml', title).container?.image).toBe(image)
  expect(job('packages.yml', 'build').container?.image).toBe(image)
})

test('a draft has the files that npm run release makes, each with an attestation of where it was built', () => {
  const makers = (text: string) =>
    [...text.matchAll(/npm(?: run |', 'run', ')([\w:]+)/g)].map(([, name]) => name).filter(name => name !== 'test:all')
  const built = job('packages.yml', 'build').steps?.flatMap(({ run = '' }) => makers(run))
  expect(built).toEqual(makers(read('deploy/release/main.ts').replace(/^\/\*\*.*?\*\/$/ms, '')))
  expect(built).toEqual(['package', 'image'])
  const draft = job('release.yml', 'draft').steps ?? []
  expect(draft.flatMap(({ with: values }) => values?.['subject-path'] ?? [])).toEqual(['dist/*'])
  expect(draft.at(-1)?.run).toContain(' dist/* ')
})

test('each npm command of a workflow exists', () => {
  const commands = jobs.flatMap(({ job: { steps = [] } }) =>
    steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)),
  )
  expect(commands).toContain('package')
  expect(commands.filter(name => !scripts[name])).toEqual([])
})

test('each action is pinned by commit, with its version in a comment', () => {
  const lines = names.flatMap(name => read(`${FOLDER}/${name}`).split('\n'))
  const actions = lines.filter(line => /uses:/.test(line) && !/uses: \.\//.test(line))
  expect(actions.length).toBeGreaterThan(4)
  expect(actions.filter(line => !/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test('workflows have read-only permissions, except to draft a release, and each job has a timeout', () => {
  for (const { permissions } of workflows.values()) expect(permissions).toEqual({ contents: 'read' })
  const writing = jobs.filter(({ job: { permissions } }) => permissions !== undefined).map(({ name }) => name)
  expect(writing).toEqual(['release.yml: draft'])
  const endless = jobs.filter(({ job: { uses, 'timeout-minutes': minutes } }) => !uses && !minutes)
  expect(endless.map(({ name }) => name)).toEqual([])
})

test('no step lets a shell run an expression whose value others can choose', () => {
  const runs = jobs.flatMap(({ job: { steps = [] } }) => steps.flatMap(({ run }) => run ?? []))
  const expressions = runs.flatMap(run => [...run.matchAll(/\$\{\{\s*([\w.]+)\s*\}\}/g)].map(([, name]) => name))
  expect(expressions.filter(name => name !== 'github.run_id' && name !== 'github.repository')).toEqual([])
})

test('a dependency is updated only to versions that are at least two weeks old', () => {
  const { updates } = parse(read('.github/dependabot.yml'))
  const waits = updates.map((update: { cooldown: { 'default-days': number } }) => update.cooldown['default-days'])
  expect(waits).toEqual([14, 14, 14, 14])
})
