/** Finds and reads the documents and other files of this checkout. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Source } from './links.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** READMEs of the libraries, and of the folders that ARCHITECTURE.md links to. */
const BESIDE_CODE = [
  'bridge-server/src/README.md',
  'deploy/README.md',
  'extension/README.md',
  'extension/src/hardening/README.md',
  'extension/src/wallet/README.md',
  'extension/src/wallet/requests/README.md',
  'extension/src/wallet/review/README.md',
  'extension/src/wallet/session/README.md',
  'relay-server/src/README.md',
  'relay-server/src/mailbox/README.md',
  'shared/src/evm/README.md',
  'shared/src/server/README.md',
  'shared/src/server/storage/README.md',
  'shared/src/server/transfer/README.md',
  'shared/src/server/webhooks/README.md',
  'shared/src/wire/README.md',
]

/** Returns all Markdown files of the top folder and of docs/, and the READMEs beside the code, sorted by path. */
export const documentPaths = (): string[] =>
  ['', 'docs/']
    .flatMap(folder => readdirSync(join(ROOT, folder)).map(name => `${folder}${name}`))
    .filter(path => path.endsWith('.md'))
    .concat(BESIDE_CODE)
    .toSorted()

/** Reads a file of this checkout. */
export const readSource: Source = path => {
  const file = join(ROOT, path)
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined
}
