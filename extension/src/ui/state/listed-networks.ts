/** The catalogue of networks, read once for each page. */
import type { ListedNetwork } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

const catalogues = new WeakMap<Client, Promise<readonly ListedNetwork[]>>()

/** Reads a file of the extension: no network or node is contacted. */
export const readListedNetworks = (client: Client): Promise<readonly ListedNetwork[]> => {
  const known = catalogues.get(client) ?? client.call('getListedNetworks', null)
  catalogues.set(client, known)
  known.catch(() => catalogues.delete(client))
  return known
}
