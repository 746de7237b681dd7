/** Starts a wallet, a local chain and the demo site. */
import type { JsonRpcProvider } from 'ethers'
import { startSite } from '../dapp/server.ts'
import { startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { importWallet, type Person, startPerson } from './person.ts'
import { type DemoSite, openSite } from './site.ts'

/** The text that the site requests a signature of. */
export const DEMO_MESSAGE = 'Hello from the demo site.'

export type Demo = {
  person: Person
  chain: JsonRpcProvider
  site: DemoSite
  stop(): Promise<void>
}

/** Starts the demo. The wallet does not have the local chain until the site adds it. */
export const startDemo = async (): Promise<Demo> => {
  const anvil = await startAnvil()
  const chain = openChain(anvil.url)
  const served = await startSite({ peers: { bridge: '', chain: anvil.url, relay: '' } })
  const person = await startPerson()
  await importWallet(person)
  const site = await openSite(person, served.url)
  return {
    person,
    chain,
    site,
    stop: async () => {
      chain.destroy()
      await person.leave()
      await served.stop()
      await anvil.stop()
    },
  }
}
