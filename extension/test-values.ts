/**
 * Replaces values in the build for tests (`--mode test`): a cheap key derivation, a short quiet time before a press
 * counts, and no page that opens after the installation. Otherwise every test would spend seconds on the first two, and
 * close the third. The sources have no switch for this, so the released build cannot contain one.
 */
import type { Plugin } from 'vite'

/** Declarations by file, with the values that replace the declared ones. */
const VALUES: Readonly<Record<string, readonly (readonly [declaration: string, value: string])[]>> = {
  'src/wallet/keys/vault-file.ts': [['KDF_COST: KdfCost =', '{ memory: 256, passes: 1, lanes: 1 }']],
  'src/browser/welcome.ts': [['WELCOMED: readonly string[] =', '[]']],
  'src/ui/model/quiet.ts': [
    ['WINDOW_QUIET =', '50'],
    ['PAGE_QUIET =', '50'],
    ['CONFIRM_DELAY =', '50'],
  ],
}

/** Replaces the values. Fails the build if a declaration is not found. */
export const testValues = (): Plugin => ({
  name: 'test-values',
  enforce: 'pre',
  transform(code, id) {
    const path = Object.keys(VALUES).find(name => id.endsWith(`/extension/${name}`))
    if (path === undefined) return null
    return (VALUES[path] ?? []).reduce((text, [declaration, value]) => {
      const line = text.split('\n').find(one => one.startsWith(`export const ${declaration} `))
      return line === undefined
        ? this.error(`${path} has no ${declaration}`)
        : text.replace(line, `export const ${declaration} ${value}`)
    }, code)
  },
})
