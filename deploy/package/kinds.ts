/** The kinds of published packages, which can be made one by one. */
import { titleOf } from './artefacts.ts'

export type Kind = 'extension' | 'libraries' | 'servers'

/** The titles of each kind's archives. */
const TITLES: readonly (readonly [Kind, readonly string[]])[] = [
  ['extension', ['heliograph-chromium', 'heliograph-firefox']],
  ['libraries', ['heliograph-evm', 'heliograph-wire']],
  ['servers', ['heliograph-relay', 'heliograph-bridge']],
]

/** All kinds, in the order in which their files are listed. */
export const KINDS: readonly Kind[] = TITLES.map(([kind]) => kind)

/** Returns the kinds of archives and bills of materials, or all kinds if a file is of none. */
export const kindsOf = (files: readonly { name: string }[]): readonly Kind[] => {
  const kinds = files.map(file => TITLES.find(([, titles]) => titles.includes(titleOf(file)))?.[0])
  return kinds.includes(undefined) ? KINDS : KINDS.filter(kind => kinds.includes(kind))
}

/** Reads the kinds that a command line names; without words, all kinds. Throws Error on a word that is no kind. */
export const readKinds = (words: readonly string[]): readonly Kind[] => {
  const wrong = words.find(word => !KINDS.some(kind => kind === word))
  if (wrong !== undefined) throw new Error(`"${wrong}" must be one of ${KINDS.join(', ')}`)
  return words.length === 0 ? KINDS : KINDS.filter(kind => words.includes(kind))
}
