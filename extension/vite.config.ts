/**
 * Builds the extension into dist/chrome, and for Firefox into dist/firefox: the wallet's pages, and the background,
 * content and inpage scripts as one file each. `--mode test` builds one for tests (test-values.ts). The output depends on the sources only, so that anyone can rebuild a
 * release and compare it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { minify } from 'terser'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { commonPasswords } from './common-passwords.ts'
import { components } from './components.ts'
import { writeFirefox } from './firefox.ts'
import { collect, writeLicences } from './licences.ts'
import { publicSuffixes } from './public-suffixes.ts'
import { LANGUAGES } from './src/wallet/keys/languages.ts'
import { testValues } from './test-values.ts'

const PAGES = ['popup', 'approval', 'panel', 'onboarding', 'settings', 'offscreen']

process.env.NODE_ENV = 'production'

const modules = new Set<string>()

export default defineConfig(({ mode }) => ({
  plugins: [
    components(),
    manifest(),
    wordLists(),
    suffixList(),
    polyfillTable(),
    oneStyleSheet(),
    smallTexts(),
    mode === 'test' ? testValues() : smaller(),
    collect(modules),
  ],
  build: {
    outDir: 'dist/chrome',
    emptyOutDir: false,
    target: 'chrome123',
    sourcemap: false,
    modulePreload: false,
  },
  environments: {
    client: page('popup', true),
    ...Object.fromEntries(PAGES.slice(1).map(name => [name, page(name, false)])),
    background: script('background', 'es'),
    content: script('content', 'iife'),
    inpage: script('inpage', 'iife'),
    as_metamask: script('as-metamask', 'iife'),
    as_ethereum: script('as-ethereum', 'iife'),
  },
  builder: {
    async buildApp(builder) {
      for (const [name, environment] of Object.entries(builder.environments)) {
        if (name !== 'ssr') await builder.build(environment)
      }
      const { root, build } = builder.config
      const folder = resolve(root, build.outDir)
      await writeLicences(folder, modules)
      await writeFirefox(folder, resolve(folder, '../firefox'))
    },
  },
}))

/**
 * Builds a page of the wallet as one script without exports. Another script therefore cannot import the page's modules,
 * and the modules run in the order of the page's imports. Only dynamically imported modules are separate files.
 */
function page(name: string, isFirst: boolean): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      emptyOutDir: isFirst,
      copyPublicDir: isFirst,
      rolldownOptions: {
        input: `${name}.html`,
        output: {
          entryFileNames: 'assets/[name].js',
          chunkFileNames: `assets/${name}-[name].js`,
          // The pages share their style sheets: each build writes the same file.
          assetFileNames: 'assets/pages[extname]',
        },
      },
    },
  }
}

/** Builds a script of src/ as one file without chunks. */
function script(name: string, format: 'es' | 'iife'): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      copyPublicDir: false,
      rolldownOptions: {
        input: `src/${name}.ts`,
        output: { format, entryFileNames: `${name}.js`, codeSplitting: false },
        // Neither our code nor any package has a getter or global whose read has a side effect.
        treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      },
    },
  }
}

/** Writes manifest.json: the repository's manifest with the version of the package. */
function manifest(): Plugin {
  return {
    name: 'manifest',
    applyToEnvironment: environment => environment.name === 'client',
    generateBundle() {
      const source = { ...readJson('../manifest.json'), version: readJson('../package.json').version }
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source: `${JSON.stringify(source, null, 2)}\n` })
    },
  }
}

/** Fails the build if the pages' style sheets differ, because all pages share one file. */
function oneStyleSheet(): Plugin {
  const sheets = new Set<string>()
  return {
    name: 'one-style-sheet',
    sharedDuringBuild: true,
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) sheets.add(String(file.source))
      if (sheets.size > 1) this.error('the pages have different style sheets')
    },
  }
}

/** Minifies the worker's script a second time, with terser, because the script's size is limited. */
function smaller(): Plugin {
  return {
    name: 'smaller',
    applyToEnvironment: environment => environment.name === 'background',
    async generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const format = { ascii_only: true }
        const { code } = await minify(chunk.code, { ecma: 2020, module: true, compress: { passes: 2 }, format })
        chunk.code = `${code}\n`
      }
    },
  }
}

/**
 * Removes all API functions from the polyfill's table except the `runtime` functions, which the polyfill must adapt so
 * that message listeners can return promises. Every context's script contains the table. Since Manifest V3, the other
 * functions return promises natively.
 */
function polyfillTable(): Plugin {
  const used = ['runtime']
  return {
    name: 'polyfill-table',
    transform(code, id) {
      if (!id.endsWith('/webextension-polyfill/dist/browser-polyfill.js')) return null
      const table = /(?<=const apiMetadata = )\{[\s\S]*?\n {6}\}(?=;)/.exec(code)?.[0]
      if (table === undefined) return this.error('the table of the polyfill was not found')
      const kept = Object.entries(JSON.parse(table)).filter(([name]) => used.includes(name))
      return code.replace(table, JSON.stringify(Object.fromEntries(kept)))
    },
  }
}

/**
 * Writes the BIP-39 word lists and the common passwords, one entry per line. They are too large for the worker's
 * script.
 */
function wordLists(): Plugin {
  return {
    name: 'word-lists',
    applyToEnvironment: environment => environment.name === 'client',
    async generateBundle() {
      for (const language of LANGUAGES) {
        const { wordlist } = await import(`@scure/bip39/wordlists/${language}.js`)
        this.emitFile({ type: 'asset', fileName: `words/${language}.txt`, source: wordlist.join('\n') })
      }
      const source = commonPasswords().join('\n')
      this.emitFile({ type: 'asset', fileName: 'common-passwords.txt', source })
    },
  }
}

/** Writes the Public Suffix List, one rule per line. It is too large for the worker's script. */
function suffixList(): Plugin {
  return {
    name: 'suffix-list',
    applyToEnvironment: environment => environment.name === 'client',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'public-suffixes.txt', source: publicSuffixes().join('\n') })
    },
  }
}

/**
 * Rewrites the copied texts without whitespace and without the notes for translators, because the package's size is
 * limited.
 */
function smallTexts(): Plugin {
  return {
    name: 'small-texts',
    applyToEnvironment: environment => environment.name === 'client',
    writeBundle({ dir = '' }) {
      const folder = join(dir, '_locales')
      for (const language of readdirSync(folder)) {
        const path = join(folder, language, 'messages.json')
        const texts: Record<string, { message: string }> = JSON.parse(readFileSync(path, 'utf8'))
        const kept = Object.entries(texts).map(([key, { message }]) => [key, { message }])
        writeFileSync(path, JSON.stringify(Object.fromEntries(kept)))
      }
    },
  }
}

function readJson(path: string): { version?: string } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}
