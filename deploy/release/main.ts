/**
 * `npm run release`: checks the conditions for a release, runs all tests, makes the packages and the image, and creates
 * the signed tag. With `--dry-run` it checks the conditions, makes the packages and the image, and only prints the
 * other commands. Never pushes. Exits with 1 at the first step that fails.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checklist, type Facts, tagOf } from './checklist.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const STORED_DATA = join(ROOT, 'test/updates/fixtures')

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const say = (line: string) => process.stdout.write(`${line}\n`)
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' })

const gatherFacts = (): Facts => {
  const { version, workspaces } = JSON.parse(read('package.json'))
  const { packages } = JSON.parse(read('package-lock.json'))
  const versions = (workspaces as string[]).flatMap(path => [
    [path, JSON.parse(read(`${path}/package.json`)).version],
    [`package-lock.json: ${path}`, packages[path]?.version],
  ])
  const kept = existsSync(STORED_DATA) ? readdirSync(STORED_DATA) : []
  return {
    version,
    versions: Object.fromEntries(versions),
    changelog: read('CHANGELOG.md'),
    branch: git('branch', '--show-current'),
    changes: git('status', '--porcelain'),
    tags: git('tag', '--list').split('\n'),
    storedData: kept.filter(file => file.endsWith('.json')).map(file => file.slice(0, -'.json'.length)),
  }
}

/** Makes the release. `carryOut` runs the commands that take an hour or change something. */
const release = (carryOut: (command: string, ...args: string[]) => void) => {
  const facts = gatherFacts()
  const items = checklist(facts)
  for (const { title, problem } of items)
    say(problem === undefined ? `ok      ${title}` : `MISSING ${title}: ${problem}`)
  const tag = tagOf(facts.version)
  if (items.some(({ problem }) => problem !== undefined)) throw new Error(`${tag} is not ready.`)
  carryOut('.ci/run')
  carryOut('npm', 'run', 'test:all')
  run('npm', 'run', 'package')
  run('npm', 'run', 'image')
  carryOut('git', 'tag', '--sign', tag, '--message', `Heliograph ${facts.version}`)
  say(
    `Next: git push origin main ${tag}. Then publish the draft, and upload the packages of the extension to the stores.`,
  )
}

const announce = (...command: string[]) => say(`would run ${command.join(' ')}`)

try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
  release(values['dry-run'] ? announce : run)
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
