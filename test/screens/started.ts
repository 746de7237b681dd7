/** Starts the previews once for all files. The global setup of the vitest project `screens`. */
import type { TestProject } from 'vitest/node'
import { type PreviewUrls, startPreviews } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    previews: PreviewUrls
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const { urls, stop } = await startPreviews()
  provide('previews', urls)
  return stop
}
