/** The catalogue of known contracts, from a file in the extension that is read on demand. */
import type { ContractList } from '../wallet/networks/known-contracts.ts'
import browser from './api.ts'

export const contractList: ContractList = async () => {
  const response = await fetch(browser.runtime.getURL('contracts.json'))
  return response.json()
}
