/** The examples of a README: complete programs, whose comments `// → …` are the lines that they print. */

export type Example = { title: string; code: string; output: readonly string[] }

const EXAMPLE = /^### (.+)\n\n```ts\n([\s\S]+?)^```$/gm
const OUTPUT = /\/\/ → (.*)$/gm

export const examplesIn = (readme: string): Example[] =>
  Array.from(readme.matchAll(EXAMPLE), ([, title = '', code = '']) => ({
    title,
    code,
    output: Array.from(code.matchAll(OUTPUT), ([, line = '']) => line),
  }))
