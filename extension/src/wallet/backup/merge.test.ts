import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BackupItem, EntryReview } from '../../messages.ts'
import { createdWallet } from '../wallet.fixture.ts'
import { contents } from './items.fixture.ts'
import type { Section } from './section.ts'
import { SECTIONS } from './sections.ts'

const PASSWORD = 'the password of a backup'

type Ui = Awaited<ReturnType<typeof createdWallet>>['wallet']['ui']

const idOf = ({ section, value }: BackupItem): string =>
  `${section} ${(SECTIONS[section] as Section<typeof section>).idOf(value as never)}`

/** Saves a backup and opens it, as another wallet would. */
const saved = async (ui: Ui): Promise<readonly BackupItem[]> => {
  const { file } = await ui.saveBackup({ password: PASSWORD })
  const { entries, unreadable } = await ui.openBackup({ file, password: PASSWORD })
  expect(unreadable).toBe(0)
  return entries
}

/** A wallet with these contents, as far as they fit together. */
const filled = async (items: readonly BackupItem[]): Promise<Ui> => {
  const { wallet } = await createdWallet()
  await wallet.ui.importEntries({ entries: items })
  return wallet.ui
}

/** Imports what a page selects initially, and returns the review. */
const merge = async (ui: Ui, items: readonly BackupItem[]): Promise<readonly EntryReview[]> => {
  const reviews = await ui.reviewImport({ entries: items })
  await ui.importEntries({ entries: items.filter((_, at) => reviews[at]?.verdict === 'new') })
  return reviews
}

const byId = (items: readonly BackupItem[]): Map<string, BackupItem> => new Map(items.map(one => [idOf(one), one]))

/** Items that are not stored without the user's choice, or that the wallet has in another form. */
const open = (items: readonly BackupItem[], reviews: readonly EntryReview[]): string[] =>
  items.flatMap((one, at) => {
    const { verdict, reason } = reviews[at] ?? { verdict: 'refused', reason: null }
    return verdict === 'new' || (verdict === 'known' && reason === null) ? [] : [idOf(one)]
  })

test('a merge of two wallets keeps every item of both, changes none of its own, and repeating it changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(contents, contents, async (one, other) => {
      const [first, second] = [await filled(one), await filled(other)]
      const [ofFirst, ofSecond] = [await saved(first), await saved(second)]
      const reviews = await merge(second, ofFirst)
      const merged = byId(await saved(second))
      const undecided = new Set(open(ofFirst, reviews))
      for (const id of byId(ofFirst).keys()) if (!undecided.has(id)) expect(merged.has(id), id).toBe(true)
      for (const [id, own] of byId(ofSecond)) expect(merged.get(id), id).toEqual(own)
      // The only items that are not in the merged wallet are about an account that it has hidden.
      for (const [at, { verdict, reason }] of reviews.entries())
        if (verdict === 'refused') expect([ofFirst[at]?.section, reason?.reason]).toEqual(['sites', 'unknownAccount'])

      const again = await merge(second, ofFirst)
      expect(again.filter(({ verdict }) => verdict === 'new')).toEqual([])
      expect(byId(await saved(second))).toEqual(merged)

      const back = await merge(first, ofSecond)
      const ignored = new Set([...undecided, ...open(ofSecond, back)])
      const idsOf = (items: Map<string, BackupItem>) => [...items.keys()].filter(id => !ignored.has(id)).toSorted()
      expect(idsOf(byId(await saved(first)))).toEqual(idsOf(merged))
    }),
    { numRuns: 6 },
  )
})

test('a conflict replaces what the wallet has only if the user selects it', async () => {
  await fc.assert(
    fc.asyncProperty(contents, contents, async (one, other) => {
      const [first, second] = [await filled(one), await filled(other)]
      const items = await saved(first)
      const reviews = await second.reviewImport({ entries: items })
      const conflicts = items.filter((_, at) => reviews[at]?.verdict === 'conflict')
      await second.importEntries({ entries: conflicts })
      const after = await second.reviewImport({ entries: conflicts })
      // A contact's name may be taken by another one, and a site sees no hidden account.
      for (const [at, { verdict, reason }] of after.entries())
        if (!['contacts', 'sites'].includes(conflicts[at]?.section ?? ''))
          expect([verdict, reason], JSON.stringify(conflicts[at])).toEqual(['known', null])
    }),
    { numRuns: 5 },
  )
})
