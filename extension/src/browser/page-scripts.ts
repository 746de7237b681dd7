/**
 * Registers the scripts that change how the provider appears to single sites, as the user chose. The browser runs them
 * before a page's own scripts, also while the worker sleeps. The provider itself is in the manifest.
 */
import type { Scripting } from 'webextension-polyfill'
import type { SiteChoice } from '../wallet/sites/sites.ts'
import { report } from '../wallet/text/errors.ts'
import { createSerialQueue } from '../wallet/work/turns.ts'
import browser from './api.ts'

type Choice = Pick<SiteChoice, 'origin' | 'asMetaMask' | 'asEthereum'>

/** Each script's id is its file name. */
const scripts = [
  ['as-metamask', 'asMetaMask'],
  ['as-ethereum', 'asEthereum'],
] as const

/** Properties of the browser API that the polyfill's types lack. */
type Registered = Scripting.RegisteredContentScript & { world: 'MAIN' }

/** True in Firefox, whose match patterns match all ports of the host: a pattern with a port matches nothing. */
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

/**
 * Returns a function that registers the scripts; call it with all choices after a change. The change takes effect when
 * a page is next loaded.
 */
export const createPageScripts = (): ((choices: readonly Choice[]) => Promise<void>) => {
  const inTurn = createSerialQueue()
  return choices =>
    inTurn(async () => {
      for (const [id, choice] of scripts) {
        const origins = choices.filter(site => site[choice]).map(({ origin }) => origin)
        await register(id, origins).catch(report)
      }
    })
}
