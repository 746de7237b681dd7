/**
 * A person with a wallet, a chain, and a bundled site that uses a third-party library. The site's policy forbids all
 * connections, so it can reach the chain only through the wallet.
 */
import { build } from 'vite'
import { type File, serveFiles } from '../dapp/server.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { OTHER_CHAIN } from './pages/values.ts'
import { importWallet, type Person, startPerson, useLocalChain } from './person.ts'
import { type DemoSite, openSite } from './site.ts'

const POLICY = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'"
const HTML = '<!doctype html><html lang="en"><title>Site</title><body><script src="/page.js"></script></body></html>'

export type Library = 'ethers' | 'viem' | 'web3' | 'wagmi'

/**
 * Arguments for a chain that mines blocks on its own. A library that requests a receipt too early retries at the next
 * block.
 */
const GOING_ON: readonly string[] = ['--mixed-mining', '--block-time', '1']

const bundle = async (library: Library): Promise<string> => {
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'chrome123',
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: `pages/${library}.ts`, output: { format: 'iife', codeSplitting: false } },
    },
  })
  const [script] = 'output' in built ? built.output : []
  if (script?.type !== 'chunk') throw new Error(`The page of ${library} was not built`)
  return script.code
}

/** `other` is a chain that is unknown to the wallet. */
export type LibrarySite = { anvil: Anvil; other: Anvil; person: Person; site: DemoSite; stop(): Promise<void> }

export const startLibrarySite = async (library: Library): Promise<LibrarySite> => {
  const files = new Map<string, File>([
    ['/', { type: 'text/html', body: HTML }],
    ['/page.js', { type: 'text/javascript', body: await bundle(library) }],
  ])
  const server = await serveFiles(files, POLICY)
  const [anvil, other] = await Promise.all([
    startAnvil({ args: GOING_ON }),
    startAnvil({ chainId: OTHER_CHAIN, args: GOING_ON }),
  ])
  const person = await startPerson()
  await setUpWallet(person, anvil.url)
  return {
    anvil,
    other,
    person,
    site: await openSite(person, `${server.url}/?other=${other.url}`),
    stop: async () => {
      await person.leave()
      await Promise.all([anvil.stop(), other.stop()])
      await server.stop()
    },
  }
}

/** Creates a wallet with the development accounts on the chain at this URL. */
export const setUpWallet = async (person: Person, rpcUrl: string): Promise<void> => {
  const page = await importWallet(person)
  await useLocalChain(page, rpcUrl)
  await page.close()
}
