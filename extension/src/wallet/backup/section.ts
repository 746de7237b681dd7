/** A section of a backup: which items the wallet has, how they are identified, and how they are stored. */
import type * as v from 'valibot'
import type { BackupValues, Finding, GatewaysView, ListedNetwork, SectionName } from '../../messages.ts'
import type { ActivityStore } from '../activity/activity.ts'
import type { Descriptors } from '../descriptors/descriptors.ts'
import type { WordLists } from '../keys/phrase.ts'
import type { AutoLock, Safety } from '../keys/safety.ts'
import type { Vault } from '../keys/vault.ts'
import type { Networks } from '../networks/networks.ts'
import type { Contacts } from '../review/contacts.ts'
import type { Interfaces } from '../review/interfaces.ts'
import type { Sessions } from '../session/engine.ts'
import type { SiteChoice, SiteChoices, SiteEvent, Sites } from '../sites/sites.ts'
import type { Cell } from '../storage/store.ts'
import type { Assets } from '../tokens/assets.ts'
import type { Found } from '../tokens/found.ts'

/** The stores of which a backup has items. */
export type BackupParts = {
  vault: Pick<Vault, 'read' | 'update'>
  wordLists: WordLists
  contacts: Contacts
  networks: Networks
  assets: Assets
  found: Found
  interfaces: Interfaces
  descriptors: Descriptors
  sites: Sites
  choices: SiteChoices
  sessions: Pick<Sessions, 'read' | 'change'>
  activity: ActivityStore
  autoLock: AutoLock
  safety: Safety
  currency: Cell<string | null>
  gateways: Cell<GatewaysView>
  looksByItself: Cell<boolean>
  announce(event: SiteEvent): void
  onChoices(choices: readonly SiteChoice[]): Promise<void>
}

/** The wallet's items by section and id, as they will be after the items that were judged so far. */
export type Held = { readonly [S in SectionName]: Map<string, BackupValues[S]> }

/** `password` is the wallet's, if the user entered it. */
export type Context = {
  parts: BackupParts
  held: Held
  catalogue: readonly ListedNetwork[]
  password?: string | undefined
}

/** `differs`: the user chooses between both. */
export type Comparison = 'new' | 'same' | 'differs'

/** An item as it would be stored, and what the user should know about it. */
export type Fitted<T> = { value: T; findings: readonly Finding[] }

export type Fitting<T> = (value: T) => Fitted<T> | Promise<Fitted<T>>

export type Section<S extends SectionName> = {
  name: S
  /** Schema of an item in a file. Its result is in the form that `read` returns. */
  schema: v.GenericSchema<unknown, BackupValues[S]>
  /** Returns the item's identity. It is the same in every wallet, and reveals no secret. */
  idOf(value: BackupValues[S]): string
  /** Returns the wallet's items. */
  read(parts: BackupParts): Promise<readonly BackupValues[S][]>
  /** True for an item that every new wallet has. It is not saved. */
  isUsual?(value: BackupValues[S]): boolean
  /** True if an item makes the wallet less strict than it is with `known`. The user decides about such an item. */
  isLaxer?(value: BackupValues[S], known: BackupValues[S] | undefined): boolean
  /** Compares an item with the wallet's item of the same id. Without it, equal JSON is the same. */
  compare?(value: BackupValues[S], known: BackupValues[S], held: Held): Comparison
  /**
   * Returns a function that checks an item against the items judged so far, and returns what would be stored. It throws
   * RpcError if the item cannot be stored; a reason in KNOWN means that it need not be.
   */
  fitting?(context: Context): Fitting<BackupValues[S]> | Promise<Fitting<BackupValues[S]>>
  /** Stores new items, and items that replace the wallet's. */
  write(context: Context, items: readonly BackupValues[S][]): Promise<void>
}

/** Returns an item about which there is nothing to say. */
export const plain = <T>(value: T): Fitted<T> => ({ value, findings: [] })

/** Returns the address in lower case, for ids. */
export const lower = (address: string): string => address.toLowerCase()
