/** `npm run site`: writes the documentation as a static site into dist/site/. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSite } from './build.ts'
import { documentPaths, ROOT, readSource } from './sources.ts'

const DIST = join(ROOT, 'dist/site')

try {
  const site = buildSite(documentPaths(), readSource)
  rmSync(DIST, { recursive: true, force: true })
  for (const [path, bytes] of site) {
    const file = join(DIST, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  process.stdout.write(`${site.size} files in dist/site; open dist/site/index.html\n`)
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
