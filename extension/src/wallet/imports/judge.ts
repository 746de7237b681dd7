/**
 * Judges the entries in another wallet's export against the wallet's contents. Pure: a review discards the result, an
 * import stores it. Each entry is judged as if the earlier ones had been added, so repeats within a list are found too.
 */
import { type Address, fromChainCase, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import type { Network } from '@heliograph/shared/network'
import type {
  EntryReview,
  Finding,
  KeyEntry,
  ListedEntry,
  ListedNetwork,
  NetworkEntry,
  NodeReview,
} from '../../messages.ts'
import { toPrivateKey } from '../keys/key-input.ts'
import { nextName, withPrivateKey, withWatchOnly } from '../keys/keyring-changes.ts'
import type { Secrets } from '../keys/vault-file.ts'
import { MAX_NODES, toNetwork } from '../networks/network-input.ts'
import { toRpcUrl, toSuggestedUrl } from '../networks/rpc-url.ts'
import { assertNotOwn, type Contact, toContactName, withContact } from '../review/contacts.ts'
import { finding } from '../review/findings.ts'
import { indexAddresses } from '../review/lookalikes.ts'
import { reviewNetwork } from '../review/network.ts'
import { findImitatedName } from '../text/confusables.ts'
import { reasonView, rpcError, toRpcError } from '../text/errors.ts'

/** Maximum number of entries, above the wallet's limit for each kind. */
export const MAX_ENTRIES = 2_000
/** Maximum number of nodes in a network's entry, and maximum characters of each URL. */
const MAX_LISTED_NODES = 20
const MAX_URL = 2_048

/** An entry of another wallet. Items of backups are judged in backup/merge.ts. */
export type WalletEntry = KeyEntry | ListedEntry | NetworkEntry

/** The parts of the wallet to which an import adds. */
export type Held = { secrets: Secrets; contacts: readonly Contact[]; networks: readonly Network[] }
/** The wallet after an entry, and how the entry was judged. */
export type Judged = { held: Held; review: EntryReview }

/** Reasons which mean that the wallet already has the entry. */
const KNOWN: ReadonlySet<string> = new Set(['accountExists', 'contactExists', 'networkExists', 'ownContact'])

const NOTHING: Pick<EntryReview, 'address' | 'nodes' | 'findings'> = { address: null, nodes: [], findings: [] }

/** Adds the result of `add`. If it throws, the error becomes the verdict. */
const attempt = (held: Held, known: Partial<EntryReview>, add: () => Partial<Held>): Judged => {
  try {
    return { held: { ...held, ...add() }, review: { ...NOTHING, ...known, verdict: 'new', reason: null } }
  } catch (thrown) {
    const reason = reasonView(toRpcError(thrown))
    const verdict = KNOWN.has(reason.reason) ? 'known' : 'refused'
    return { held, review: { ...NOTHING, ...known, findings: [], verdict, reason } }
  }
}

/** Returns the address in EIP-55 form, or null if `read` throws. */
const addressOr = (read: () => string): string | null => {
  try {
    return read()
  } catch {
    return null
  }
}

const nameFor = (secrets: Secrets, name: string): string =>
  name.trim() === '' ? nextName(secrets) : toContactName(name)

/** Finds a name or an address that imitates one in the wallet. A file is trusted no more than a site. */
const reviewNamed = ({ secrets, contacts }: Held, address: string | null, name: string): Finding[] => {
  const others = [...secrets.accounts, ...contacts].filter(known => !sameAddress(known.address, address ?? ''))
  const like = address === null ? undefined : indexAddresses(others).findLookalike(address)
  const imitated = findImitatedName(
    name,
    others.map(known => known.name),
  )
  return [
    ...(like ? [finding('danger', 'lookalikeAddress', address, like.address, like.name)] : []),
    ...(imitated === undefined ? [] : [finding('danger', 'imitatedName', name, imitated)]),
  ]
}

const judgeKey = (held: Held, { privateKey, name }: KeyEntry): Judged => {
  const { secrets } = held
  const withKey = <T>(use: (key: Uint8Array) => T): T => {
    const key = toPrivateKey(privateKey)
    try {
      return use(key)
    } finally {
      key.fill(0)
    }
  }
  const address = addressOr(() => withKey(addressOfPrivateKey))
  return attempt(held, { address, findings: reviewNamed(held, address, name) }, () => ({
    secrets: withKey(key => withPrivateKey(secrets, key, nameFor(secrets, name))),
  }))
}

/** Accepts any chain's checksum, because the file does not name the address's chain. */
const addressOf = ({ address }: ListedEntry): Address => toAddress(fromChainCase(address, null))

/** Returns the parts of a new entry's review that are known before adding it. */
const ofListed = (held: Held, entry: ListedEntry): Partial<EntryReview> => {
  const address = addressOr(() => addressOf(entry))
  return { address, findings: reviewNamed(held, address, entry.name) }
}

const judgeWatchOnly = (held: Held, entry: ListedEntry): Judged =>
  attempt(held, ofListed(held, entry), () => ({
    secrets: withWatchOnly(held.secrets, addressOf(entry), nameFor(held.secrets, entry.name)),
  }))

/** Returns the name for a contact without one, in the form in which lists show addresses. */
const shortForm = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`

const judgeContact = (held: Held, entry: ListedEntry): Judged =>
  attempt(held, ofListed(held, entry), () => {
    const address = addressOf(entry)
    const known = held.contacts.find(contact => sameAddress(contact.address, address))
    if (known) throw rpcError('invalidParams', 'contactExists', { name: known.name })
    const contact = { address, name: entry.name.trim() === '' ? shortForm(address) : toContactName(entry.name) }
    assertNotOwn(held.secrets, contact)
    return { contacts: withContact(held.contacts, contact) }
  })

/** Reviews the nodes that a network does not have. Nodes beyond the limit per network are refused. */
const judgeNodes = (held: readonly string[], given: readonly string[]): NodeReview[] => {
  const urls = given.slice(0, MAX_LISTED_NODES).map(text => {
    const url = text.length > MAX_URL ? undefined : toSuggestedUrl(text.trim())
    return { url: url ?? text.slice(0, MAX_URL), isUsable: url !== undefined }
  })
  const fresh = urls.filter(({ url }, at) => !held.includes(url) && urls.findIndex(other => other.url === url) === at)
  let room = MAX_NODES - held.length
  return fresh.map(({ url, isUsable }) => {
    if (!isUsable) return { url, reason: { reason: 'fileNodeForm', values: {} } }
    return room-- > 0
      ? { url, reason: null }
      : { url, reason: { reason: 'tooManyNodes', values: { limit: MAX_NODES } } }
  })
}

const judgeNetwork = (held: Held, entry: NetworkEntry, catalogue: readonly ListedNetwork[]): Judged => {
  const known = held.networks.find(({ chainId }) => chainId === entry.chainId)
  const nodes = judgeNodes(known?.rpcUrls ?? [], entry.rpcUrls)
  if (known)
    return attempt(held, { nodes }, () => {
      throw rpcError('invalidParams', 'networkExists')
    })
  const listed = catalogue.find(({ chainId }) => chainId === entry.chainId)
  const network = () =>
    toNetwork({
      ...{ chainId: entry.chainId, rpcUrls: [], prefix: 'eth', signedMessageName: 'Ethereum' },
      title: entry.title.trim() || (listed?.title ?? `Chain ${entry.chainId}`),
      symbol: entry.symbol.trim() || (listed?.symbol ?? ''),
      explorerUrl: toRpcUrl(entry.explorerUrl.trim()) ?? '',
      testnet: listed?.testnet ?? false,
    })
  const judged = attempt(held, { nodes }, () => ({ networks: [...held.networks, network()] }))
  if (judged.review.verdict !== 'new') return judged
  return {
    ...judged,
    review: { ...judged.review, findings: reviewNetwork(network(), false, held.networks, catalogue) },
  }
}

const judge = (held: Held, entry: WalletEntry, catalogue: readonly ListedNetwork[]): Judged => {
  switch (entry.kind) {
    case 'key':
      return judgeKey(held, entry)
    case 'watchOnly':
      return judgeWatchOnly(held, entry)
    case 'contact':
      return judgeContact(held, entry)
    case 'network':
      return judgeNetwork(held, entry, catalogue)
  }
}

/** Returns the wallet after the import, and a review of each entry. Throws -32005 if there are too many. */
export const judgeAll = (
  held: Held,
  entries: readonly WalletEntry[],
  catalogue: readonly ListedNetwork[],
): { held: Held; reviews: EntryReview[] } => {
  if (entries.length > MAX_ENTRIES) throw rpcError('limitExceeded', 'tooManyAtOnce', { limit: MAX_ENTRIES })
  const reviews: EntryReview[] = []
  let after = held
  for (const entry of entries) {
    const judged = judge(after, entry, catalogue)
    reviews.push(judged.review)
    after = judged.held
  }
  return { held: after, reviews }
}
