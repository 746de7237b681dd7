/**
 * Builds the extension for Firefox: the same files with another manifest. Its background is a page, which holds its own
 * sockets.
 */
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Manifest = Record<string, unknown> & {
  action: { default_title: string; default_icon: Record<string, string> }
  background: { service_worker: string }
  side_panel: { default_path: string }
  commands: Record<string, object>
  permissions: readonly string[]
}

/**
 * The extension's id. Without one, Firefox assigns a new id each time it loads the extension, which then loses its
 * storage.
 */
export const FIREFOX_ID = 'wallet@heliograph.invalid'
/**
 * Oldest supported Firefox: the first version with `data_collection_permissions` on every platform. The oldest
 * supported ESR is newer.
 */
const OLDEST = '142.0'
/** Permissions that only Chromium supports. */
const CHROMIUMS = ['offscreen', 'sidePanel']

export const firefoxManifest = ({
  minimum_chrome_version: _,
  background,
  side_panel,
  commands: { 'open-panel': openPanel, ...commands },
  permissions,
  ...rest
}: Manifest) => ({
  ...rest,
  background: { scripts: [background.service_worker], type: 'module' },
  sidebar_action: {
    default_title: rest.action.default_title,
    default_icon: rest.action.default_icon,
    default_panel: side_panel.default_path,
    open_at_install: false,
  },
  // Firefox itself opens the sidebar on this command.
  commands: { ...commands, _execute_sidebar_action: openPanel },
  permissions: permissions.filter(permission => !CHROMIUMS.includes(permission)),
  browser_specific_settings: {
    gecko: { id: FIREFOX_ID, strict_min_version: OLDEST, data_collection_permissions: { required: ['none'] } },
  },
})

/** Converts the Chromium build in the folder `from` for Firefox, and replaces the folder `to` with it. */
export const writeFirefox = async (from: string, to: string): Promise<void> => {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true })
  const path = join(to, 'manifest.json')
  const manifest = firefoxManifest(JSON.parse(await readFile(path, 'utf8')))
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
}
