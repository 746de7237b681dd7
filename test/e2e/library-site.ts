/**
 * A user with a wallet and a chain, and bundled sites, each with a third-party library. The sites' content security
 * policy forbids all connections, so they can reach the chain only through the wallet.
 */
import { build } from 'vite'
import { type File, type Site, serveFiles } from '../dapp/server.ts'
import { createVault, type Person, useLocalChain } from './person.ts'

const POLICY = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'"

const LIBRARIES = ['ethers', 'viem', 'web3', 'wagmi'] as const
export type Library = (typeof LIBRARIES)[number]

const html = (library: Library) =>
  `<!doctype html><html lang="en"><title>${library}</title><body><script type="module" src="/${library}.js"></script></body></html>`

/** Serves each library's page under the library's name. */
export const serveLibrarySites = async (): Promise<Site> => {
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'chrome123',
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(LIBRARIES.map(library => [library, `pages/${library}.ts`])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
  const chunks = 'output' in built ? built.output.filter(({ type }) => type === 'chunk') : []
  return serveFiles(
    new Map<string, File>([
      ...LIBRARIES.map((library): [string, File] => [`/${library}`, { type: 'text/html', body: html(library) }]),
      ...chunks.map((chunk): [string, File] => [
        `/${chunk.fileName}`,
        { type: 'text/javascript', body: 'code' in chunk ? chunk.code : '' },
      ]),
    ]),
    POLICY,
  )
}

/** Creates a wallet with the development accounts on the chain at this URL. */
export const setUpWallet = async (person: Person, rpcUrl: string): Promise<void> => {
  const page = await createVault(person)
  await useLocalChain(page, rpcUrl)
  await page.close()
}
