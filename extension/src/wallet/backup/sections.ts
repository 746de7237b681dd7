/** All sections of a backup, in the order in which their items are judged and stored. */

import * as v from 'valibot'
import type { BackupItem, SectionName } from '../../messages.ts'
import { activity } from './activity.ts'
import type { RawSection } from './backup-file.ts'
import { contacts } from './contacts.ts'
import { descriptors, interfaces } from './contracts.ts'
import { hiddenNetworks, networks, nodes } from './networks.ts'
import { accounts, phrases, privateKeys } from './own-accounts.ts'
import { relays } from './relays.ts'
import type { BackupParts, Section } from './section.ts'
import { settings } from './settings.ts'
import { siteNetworks, siteSettings, sites } from './sites.ts'
import { tokenChoices, tokens } from './tokens.ts'

/** Accounts precede keys, which keep their names, and sites, which may see only accounts that the wallet has. */
export const SECTIONS: { readonly [S in SectionName]: Section<S> } = {
  phrases,
  accounts,
  privateKeys,
  contacts,
  networks,
  nodes,
  hiddenNetworks,
  tokens,
  tokenChoices,
  interfaces,
  descriptors,
  sites,
  siteSettings,
  siteNetworks,
  relays,
  settings,
  activity,
}

export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[]

/** Sections that are saved only if the user asked for them with the wallet's password. */
const SECRET: ReadonlySet<SectionName> = new Set<SectionName>(['phrases', 'privateKeys'])

/** Names of the sections without keys. */
export const PUBLIC_NAMES = SECTION_NAMES.filter(name => !SECRET.has(name))

const saved = async <S extends SectionName>(section: Section<S>, parts: BackupParts): Promise<RawSection> => {
  const values = (await section.read(parts)).filter(value => section.isUsual?.(value) !== true)
  return { name: section.name, items: values.map(value => ({ id: section.idOf(value), value })) }
}

/** Returns the wallet's items, by section. Throws 4100 while locked. */
export const readSections = async (parts: BackupParts, names: readonly SectionName[]): Promise<RawSection[]> => {
  await parts.vault.read()
  const sections: RawSection[] = []
  for (const name of names) sections.push(await saved<SectionName>(SECTIONS[name] as Section<SectionName>, parts))
  return sections
}

const Item = v.object({ id: v.string(), value: v.unknown() })

/** Returns the value, or undefined for an odd one. A schema may use functions that throw. */
const parseValue = <S extends SectionName>(section: Section<S>, value: unknown) => {
  try {
    const parsed = v.safeParse(section.schema, value)
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/** Returns the items that can be read. An item whose id does not match its value is odd. */
const parseItems = <S extends SectionName>(section: Section<S>, items: readonly unknown[]): BackupItem[] =>
  items.flatMap(given => {
    const item = v.safeParse(Item, given)
    const value = item.success ? parseValue(section, item.output.value) : undefined
    if (!item.success || value === undefined || section.idOf(value) !== item.output.id) return []
    return [{ kind: 'item', section: section.name, value } as BackupItem]
  })

/** Parses the items of a file, in the order of SECTIONS. Unknown sections and odd items only count. */
export const parseSections = (sections: readonly RawSection[]): { entries: BackupItem[]; unreadable: number } => {
  const given = sections.flatMap(({ items }) => items.filter(item => item !== null))
  const entries = SECTION_NAMES.flatMap(name =>
    sections
      .filter(section => section.name === name)
      .flatMap(({ items }) => parseItems(SECTIONS[name] as Section<SectionName>, items)),
  )
  return { entries, unreadable: given.length - entries.length }
}
