/** Reads a Markdown document: its title, its headings with GitHub's anchors, and its text by section. */
import GithubSlugger from 'github-slugger'
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'

export type Heading = { id: string; depth: number; text: string }

/** A heading and the text below it, one entry for each paragraph, list item, table row and block of code. */
export type Section = { heading: Heading; texts: readonly string[] }

export type Document = {
  /** Path in the repository. */
  path: string
  title: string
  tokens: readonly Token[]
  headings: ReadonlyMap<Token, Heading>
  sections: readonly Section[]
}

const marked = new Marked({ gfm: true })

const isComment = (text: string): boolean => /^(?:<!--.*?-->\s*)+$/s.test(text)

/** Narrows the type of a token. `MarkedToken` lists all kinds of tokens, because no extension adds any. */
const known = (token: Token): MarkedToken => token as MarkedToken

/** Returns the text of inline tokens, without markup. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(known)
    .map(token => {
      if (token.type === 'br') return ' '
      if (token.type === 'image' || token.type === 'codespan' || token.type === 'escape') return token.text
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      return token.type === 'text' ? token.text : ''
    })
    .join('')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the texts of a block, one for each paragraph, list item, table row and block of code. */
const textsOf = (block: Token): string[] => {
  const token = known(block)
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return [plainText(token.tokens ?? [token])]
    case 'code':
      return [token.text]
    case 'blockquote':
      return token.tokens.flatMap(textsOf)
    case 'list':
      return token.items.flatMap(({ tokens }) => tokens.flatMap(textsOf))
    case 'table':
      return token.rows.map(cells => cells.map(({ tokens }) => plainText(tokens)).join(' · '))
    default:
      return []
  }
}

const sectionsOf = (tokens: readonly Token[], headings: ReadonlyMap<Token, Heading>): Section[] => {
  const sections: { heading: Heading; texts: string[] }[] = []
  for (const token of tokens) {
    const heading = headings.get(token)
    if (heading) sections.push({ heading, texts: [] })
    else sections.at(-1)?.texts.push(...textsOf(token).map(oneLine).filter(Boolean))
  }
  return sections
}

/** Returns the raw HTML in a document, except comments. */
const rawHtmlIn = (tokens: readonly Token[]): string[] => {
  const found: string[] = []
  marked.walkTokens([...tokens], token => {
    if (token.type === 'html' && !isComment(token.raw)) found.push(token.raw.trim())
  })
  return found
}

/**
 * Reads a document. Throws an error that names the file if it does not start with its only first-level heading, or if
 * it contains raw HTML.
 */
export const readMarkdown = (path: string, text: string): Document => {
  const tokens = marked.lexer(text)
  const [html] = rawHtmlIn(tokens)
  if (html !== undefined) throw new Error(`${path} contains raw HTML, which the site does not show: ${html}`)
  const slugger = new GithubSlugger()
  const headings = new Map(
    tokens
      .filter((token): token is Tokens.Heading => token.type === 'heading')
      .map(token => {
        const heading = plainText(token.tokens)
        return [token, { id: slugger.slug(heading), depth: token.depth, text: heading }] as const
      }),
  )
  const titles = [...headings.values()].filter(({ depth }) => depth === 1)
  const [title] = titles
  if (!title || titles.length > 1 || tokens[0]?.type !== 'heading')
    throw new Error(`${path} must start with its title, which must be its only first-level heading`)
  return { path, title: title.text, tokens, headings, sections: sectionsOf(tokens, headings) }
}
