/** The catalogue of networks, from a file in the extension that is read on demand. */
import type { ListedNetworks } from '../wallet/networks/listed.ts'
import browser from './api.ts'

export const listedNetworks: ListedNetworks = async () => {
  const response = await fetch(browser.runtime.getURL('networks.json'))
  return response.json()
}
