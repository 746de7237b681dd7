/** Sources whose addresses are in tables keyed by chain. */
import { byChain, type Entry, type Label } from '../entries.ts'
import { literalAfter } from '../literal.ts'
import type { Source } from './source.ts'

/** A table in a file: the text that precedes it, and the label of the contract whose addresses it lists. */
export type Table = readonly [marker: string, label: Label]

/** Reads tables whose keys are chains and whose values are addresses. */
export const readTables =
  (protocol: string, file: string, tables: readonly Table[]): Source['read'] =>
  async files => {
    const text = await files.text(file)
    return tables.flatMap(([marker, label]): readonly Entry[] => byChain(literalAfter(text, marker), protocol, label))
  }
