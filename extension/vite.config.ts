/**
 * Builds the extension into dist/chrome: the wallet's pages, and the background, content and inpage scripts as one file each.
 * The output depends on the sources alone, so that anyone can rebuild a release and compare.
 */
import { readFileSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { LANGUAGES } from './src/wallet/languages.ts'

const PAGES = ['popup.html', 'approval.html', 'onboarding.html']

process.env.NODE_ENV = 'production'

export default defineConfig({
  plugins: [svelte({ configFile: false }), manifest(), wordLists()],
  build: {
    outDir: 'dist/chrome',
    emptyOutDir: false,
    target: 'chrome123',
    sourcemap: false,
    modulePreload: false,
  },
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        rolldownOptions: {
          input: PAGES,
          output: {
            entryFileNames: 'assets/[name].js',
            chunkFileNames: 'assets/[name].js',
            assetFileNames: 'assets/[name][extname]',
          },
        },
      },
    },
    background: script('background', 'es'),
    content: script('content', 'iife'),
    inpage: script('inpage', 'iife'),
  },
  builder: {
    async buildApp(builder) {
      for (const [name, environment] of Object.entries(builder.environments)) {
        if (name !== 'ssr') await builder.build(environment)
      }
    },
  },
})

/** One script of src/ as one file without chunks. */
function script(name: string, format: 'es' | 'iife'): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      copyPublicDir: false,
      rolldownOptions: {
        input: `src/${name}.ts`,
        output: { format, entryFileNames: `${name}.js`, codeSplitting: false },
      },
    },
  }
}

/** Writes manifest.json: the one of the repository with the version of the package. */
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

/** Writes the words of each language of BIP-39 but English, a line each: too much for the script of the worker. */
function wordLists(): Plugin {
  return {
    name: 'word-lists',
    applyToEnvironment: environment => environment.name === 'client',
    async generateBundle() {
      for (const language of LANGUAGES) {
        const { wordlist } = await import(`@scure/bip39/wordlists/${language}.js`)
        this.emitFile({ type: 'asset', fileName: `words/${language}.txt`, source: wordlist.join('\n') })
      }
    },
  }
}

function readJson(path: string): { version?: string } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}
