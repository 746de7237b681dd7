/** Extracts the rules of the Public Suffix List from tldts: https://publicsuffix.org/list/ */
// @ts-expect-error: this file of the package comes without types.
import * as data from 'tldts/dist/cjs/src/data/trie.js'

/**
 * A tree of labels, starting with a name's last label. The edges of node `n` start at index `edgeStart[n]`, and end
 * before `edgeStart[n+1]`. `labelText` holds the labels of all edges, concatenated. If a node has flags, the path to it
 * is a rule.
 */
type Tree = {
  nodeFlags: Uint8Array
  edgeStart: Uint16Array
  edgeLength: Uint8Array
  edgeChild: Uint16Array
  labelText: string
  rulesRoot: number
  exceptionsRoot: number
}

const tree: Tree = data

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches all of ASCII
const ASCII = /^[\x00-\x7f]*$/

/** Returns the label of each edge. */
const labelsOf = ({ edgeLength, labelText }: Tree): string[] => {
  let end = 0
  return Array.from(edgeLength, length => {
    end += length
    return labelText.slice(end - length, end)
  })
}

const labels = labelsOf(tree)

const rulesBelow = (node: number, name: string): string[] => {
  const own = tree.nodeFlags[node] ? [name] : []
  const [from = 0, to = 0] = tree.edgeStart.subarray(node, node + 2)
  const edges = Array.from({ length: to - from }, (_, at) => from + at)
  const below = edges.flatMap(edge => {
    const label = labels[edge] ?? ''
    return rulesBelow(tree.edgeChild[edge] ?? 0, name === '' ? label : `${label}.${name}`)
  })
  return [...own, ...below]
}

/**
 * Returns every rule of the list, including private ones, in the ASCII form that browsers use for host names: `co.uk`,
 * `*.ck`, `!www.ck`.
 */
export const publicSuffixes = (): string[] =>
  [...rulesBelow(tree.rulesRoot, ''), ...rulesBelow(tree.exceptionsRoot, '').map(rule => `!${rule}`)]
    .filter(rule => ASCII.test(rule))
    .toSorted()
