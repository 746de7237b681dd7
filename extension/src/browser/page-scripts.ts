/**
 * The scripts of single sites, by which the provider shows itself as the person chose. They are registered with the
 * browser, which runs them before a page's own, also while the worker sleeps; the provider itself is in the manifest.
 */
import type { Scripting } from 'webextension-polyfill'
import { report } from '../wallet/failures.ts'
import type { SiteChoice } from '../wallet/site-choices.ts'
import { createTurns } from '../wallet/turns.ts'
import browser from './api.ts'

type Choice = Pick<SiteChoice, 'origin' | 'asMetaMask' | 'asEthereum'>

/** A registered script goes by its file's name. */
const scripts = [
  ['as-metamask', 'asMetaMask'],
  ['as-ethereum', 'asEthereum'],
] as const

/** What the browser knows of scripts beyond the polyfill's types. */
type Registered = Scripting.RegisteredContentScript & { world: 'MAIN' }

/** In Firefox a match pattern has no port: it matches all ports of the host, and one with a port matches none. */
const isFirefox = () => 'getBrowserInfo' in browser.runtime
const patternOf = (origin: string) => `${isFirefox() ? origin.replace(/:\d+$/, '') : origin}/*`

const register = async (id: string, origins: readonly string[]) => {
  const [known] = await browser.scripting.getRegisteredContentScripts({ ids: [id] })
  if (known) await browser.scripting.unregisterContentScripts({ ids: [id] })
  if (origins.length === 0) return
  const script: Registered = {
    id,
    js: [`${id}.js`],
    matches: origins.map(patternOf),
    allFrames: true,
    runAt: 'document_start',
    world: 'MAIN',
  }
  await browser.scripting.registerContentScripts([script])
}

/** Returns what to call with all choices after one has changed. It takes effect when a page is loaded the next time. */
export const createPageScripts = (): ((choices: readonly Choice[]) => Promise<void>) => {
  const inTurn = createTurns()
  return choices =>
    inTurn(async () => {
      for (const [id, choice] of scripts) {
        const origins = choices.filter(site => site[choice]).map(({ origin }) => origin)
        await register(id, origins).catch(report)
      }
    })
}
