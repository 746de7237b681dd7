/**
 * Shell blocks of the documents. A block marked `sh` runs to its end; a block marked `sh server` keeps running. A
 * `text` block after it shows lines of its output in order, in which `…` stands for any text.
 */
import { Marked, type Token, type Tokens } from 'marked'

export type Block = { kind: 'sh' | 'sh server'; script: string; output: readonly string[] }

const SHELL = /^sh(?: server)?$/

/** Returns all fenced code blocks, with their info strings. */
export const codeBlocks = (markdown: string): Tokens.Code[] => {
  const marked = new Marked()
  const found: Tokens.Code[] = []
  marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'code') found.push(token as Tokens.Code)
  })
  return found
}

export const shellBlocks = (markdown: string): Block[] => {
  const blocks: { kind: Block['kind']; script: string; output: string[] }[] = []
  for (const { lang = '', text } of codeBlocks(markdown)) {
    if (SHELL.test(lang)) blocks.push({ kind: lang as Block['kind'], script: text, output: [] })
    if (lang === 'text') blocks.at(-1)?.output.push(...text.split('\n').filter(line => line.trim() !== ''))
  }
  return blocks
}

const toPattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

/** Returns the first documented line that the output does not contain after the previous ones, or undefined. */
export const missingLine = (documented: readonly string[], output: string): string | undefined => {
  const lines = output.split('\n').map(line => line.trimEnd())
  let from = 0
  for (const line of documented) {
    const at = lines.findIndex((said, place) => place >= from && toPattern(line).test(said))
    if (at === -1) return line
    from = at + 1
  }
  return undefined
}
