/** UI methods that import accounts, contacts and networks from other wallets, and items of backups. */
import type { Network } from '@heliograph/shared/network'
import type { BackupItem, EntryReview, ImportEntry, ImportResult } from '../../messages.ts'
import { readContext, restoreItems, reviewItems } from '../backup/merge.ts'
import { assertsPassword } from '../backup/settings.ts'
import { judgeAll, type WalletEntry } from '../imports/judge.ts'
import { MAX_NODES } from '../networks/network-input.ts'
import { assertReports } from '../networks/node.ts'
import { reasonView, rpcError, toRpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

/** Maximum number of nodes per import, because all of them are queried at the same time. */
const MAX_ASKED = 50

const nodesIn = (entry: ImportEntry): readonly string[] => (entry.kind === 'network' ? entry.rpcUrls : [])

const assertFewNodes = (entries: readonly ImportEntry[]) => {
  if (entries.flatMap(nodesIn).length > MAX_ASKED)
    throw rpcError('limitExceeded', 'tooManyAtOnce', { limit: MAX_ASKED })
}

const NOTHING: Omit<ImportResult, 'items'> = { accounts: 0, contacts: 0, networks: 0, nodes: [] }

const isItem = (entry: ImportEntry): entry is BackupItem => entry.kind === 'item'
const isOther = (entry: ImportEntry): entry is WalletEntry => entry.kind !== 'item'

/** Returns the members of `all` that are not in `before`. */
const addedTo = <T>(before: readonly T[], all: readonly T[]): T[] => all.filter(one => !before.includes(one))

/** Returns the nodes that the entries add to a network. */
const nodesFor = (
  { chainId, rpcUrls }: Network,
  entries: readonly ImportEntry[],
  reviews: readonly EntryReview[],
): string[] => {
  const ofNetwork = reviews.filter((_, at) => {
    const entry = entries[at]
    return entry?.kind === 'network' && entry.chainId === chainId
  })
  const urls = ofNetwork.flatMap(({ nodes }) => nodes.flatMap(({ url, reason }) => (reason === null ? [url] : [])))
  return [...new Set(urls)].slice(0, Math.max(0, MAX_NODES - rpcUrls.length))
}

export const createOtherWalletsUi = (parts: UiParts): Pick<Ui, 'reviewImport' | 'importEntries'> => {
  const { vault, contacts, networks, listedNetworks, chain, safety } = parts
  /** Reads everything outside the vault to which an import adds. */
  const besidesKeys = async () => ({ contacts: await contacts.list(), networks: await networks.list() })

  /** Adds the nodes that report the network's chain id. Resolves with an outcome for each node. */
  const addNodes = async (network: Network, urls: readonly string[]): Promise<ImportResult['nodes']> => {
    const { chainId } = network
    const outcomes = await Promise.all(
      urls.map(url =>
        assertReports(chain, network, url).then(
          () => ({ chainId, url, reason: null }),
          thrown => ({ chainId, url, reason: reasonView(toRpcError(thrown)) }),
        ),
      ),
    )
    const usable = outcomes.flatMap(({ url, reason }) => (reason === null ? [url] : []))
    if (usable.length > 0) {
      // The user may have changed the nodes in the meantime.
      const { rpcUrls } = await networks.get(chainId)
      await networks.setRpcUrls(chainId, [...new Set([...rpcUrls, ...usable])].slice(0, MAX_NODES))
    }
    return outcomes
  }

  /** Stores the entries of another wallet. */
  const importOthers = async (entries: readonly WalletEntry[]): Promise<Omit<ImportResult, 'items'>> => {
    assertFewNodes(entries)
    const before = await besidesKeys()
    const catalogue = await listedNetworks()
    let judged = judgeAll({ secrets: await vault.read(), ...before }, [], catalogue)
    await vault.update(secrets => {
      judged = judgeAll({ secrets, ...before }, entries, catalogue)
      return judged.held.secrets
    })
    const { held, reviews } = judged
    await contacts.save(...addedTo(before.contacts, held.contacts))
    for (const network of addedTo(before.networks, held.networks)) await networks.add(network)
    const all = await networks.list()
    const nodes = await Promise.all(all.map(network => addNodes(network, nodesFor(network, entries, reviews))))
    const countNew = (...kinds: WalletEntry['kind'][]) =>
      entries.filter(({ kind }, at) => kinds.includes(kind) && reviews[at]?.verdict === 'new').length
    return {
      accounts: countNew('key', 'watchOnly'),
      contacts: countNew('contact'),
      networks: countNew('network'),
      nodes: nodes.flat(),
    }
  }

  return {
    reviewImport: async ({ entries }) => {
      const catalogue = await listedNetworks()
      const secrets = await vault.read()
      const others = judgeAll({ secrets, ...(await besidesKeys()) }, entries.filter(isOther), catalogue).reviews
      const items = entries.filter(isItem)
      if (items.length === 0) return others
      const reviews = await reviewItems(await readContext(parts, catalogue), items)
      const rest = { items: reviews.values(), others: others.values() }
      return entries.flatMap(entry => rest[isItem(entry) ? 'items' : 'others'].next().value ?? [])
    },
    importEntries: async ({ entries, password }) => {
      const items = entries.filter(isItem)
      if (assertsPassword(items)) await safety.assertPassword(password)
      const others = entries.filter(isOther)
      const imported = others.length > 0 || items.length === 0 ? await importOthers(others) : NOTHING
      if (items.length === 0) return { ...imported, items: 0 }
      const context = await readContext(parts, await listedNetworks(), password)
      return { ...imported, items: await restoreItems(context, items) }
    },
  }
}
