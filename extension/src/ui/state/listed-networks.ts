/** The catalogue of networks, read once per page. */
import type { ListedNetwork } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

const catalogues = new WeakMap<Client, Promise<readonly ListedNetwork[]>>()

/** Reads the catalogue from a file of the extension, without any network access. */
export const readListedNetworks = (client: Client): Promise<readonly ListedNetwork[]> => {
  const known = catalogues.get(client) ?? client.call('getListedNetworks', null)
  catalogues.set(client, known)
  known.catch(() => catalogues.delete(client))
  return known
}

/** Returns the networks whose public nodes are offered together. Without any network access; empty if it fails. */
export const readPublicNodes = (client: Client): Promise<readonly ListedNetwork[]> =>
  client.call('getPublicNodes', null).catch(() => [])
