/** The pages in reading order, grouped by reader. A new document needs a line here. */

export type Group = {
  title: string
  /** Paths of the Markdown files in the repository. */
  pages: readonly string[]
}

/** The home page of the site. */
export const HOME = 'README.md'

/** A quick start for each reader. The home page introduces them. */
export const STARTS: Group = {
  title: 'Quick starts',
  pages: ['docs/start-person.md', 'docs/start-developer.md', 'docs/start-operator.md', 'docs/start-contributor.md'],
}

export const GROUPS: readonly Group[] = [
  { title: 'Heliograph', pages: [HOME, 'SECURITY.md', 'CHANGELOG.md'] },
  STARTS,
  {
    title: 'For users',
    pages: [
      'docs/from-another-wallet.md',
      'docs/passkeys.md',
      'docs/backup.md',
      'docs/privacy.md',
      'docs/nodes.md',
      'docs/names-and-pictures.md',
      'docs/batches.md',
      'docs/values.md',
      'docs/permissions.md',
      'docs/browsers.md',
    ],
  },
  {
    title: 'For developers',
    pages: ['docs/sessions.md', 'docs/webhooks.md', 'shared/src/evm/README.md', 'shared/src/wire/README.md'],
  },
  {
    title: 'For operators',
    pages: [
      'docs/self-hosting.md',
      'docs/runbook.md',
      'docs/scaling.md',
      'docs/metrics.md',
      'docs/performance.md',
      'docs/packages.md',
    ],
  },
  {
    title: 'For contributors',
    pages: [
      'CONTRIBUTING.md',
      'ARCHITECTURE.md',
      'docs/adding.md',
      'docs/tests.md',
      'docs/commands.md',
      'docs/dependencies.md',
      'docs/releases.md',
      'docs/security-testing.md',
    ],
  },
  {
    title: 'Beside the code',
    pages: [
      'extension/README.md',
      'extension/src/wallet/README.md',
      'extension/src/wallet/requests/README.md',
      'extension/src/wallet/review/README.md',
      'extension/src/wallet/session/README.md',
      'extension/src/hardening/README.md',
      'relay-server/src/README.md',
      'relay-server/src/mailbox/README.md',
      'bridge-server/src/README.md',
      'shared/src/server/README.md',
      'shared/src/server/storage/README.md',
      'shared/src/server/webhooks/README.md',
      'shared/src/server/transfer/README.md',
      'deploy/README.md',
    ],
  },
]

/** Title of the group for documents that are in no other group. A test requires that there are none. */
export const OTHERS = 'More'

/** Returns the groups with all documents. Documents that are in no group form another group at the end. */
export const groupsOf = (documents: readonly string[]): Group[] => {
  const grouped = new Set(GROUPS.flatMap(({ pages }) => pages))
  const others = documents.filter(path => !grouped.has(path)).toSorted()
  return [...GROUPS, ...(others.length > 0 ? [{ title: OTHERS, pages: others }] : [])]
}
