/** The extension for Firefox: the same files under another manifest. Its background is a page, which holds its own sockets. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Manifest = Record<string, unknown> & { background: { service_worker: string }; permissions: readonly string[] }

/** An extension that has no id gets another one each time it is loaded, and loses what it kept. */
export const FIREFOX_ID = 'wallet@heliograph.invalid'
/** Content scripts in the page's own world came with it. */
const OLDEST = '128.0'
/** Permissions that only Chromium knows. */
const CHROMIUMS = ['offscreen']

export const firefoxManifest = ({ minimum_chrome_version: _, background, permissions, ...rest }: Manifest) => ({
  ...rest,
  background: { scripts: [background.service_worker], type: 'module' },
  permissions: permissions.filter(permission => !CHROMIUMS.includes(permission)),
  browser_specific_settings: {
    gecko: { id: FIREFOX_ID, strict_min_version: OLDEST, data_collection_permissions: { required: ['none'] } },
  },
})

/** Writes the extension that was built for Chromium in the folder `from` for Firefox into `to`, in place of what is there. */
export const writeFirefox = async (from: string, to: string): Promise<void> => {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true })
  const path = join(to, 'manifest.json')
  const manifest = firefoxManifest(JSON.parse(await readFile(path, 'utf8')))
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
}
