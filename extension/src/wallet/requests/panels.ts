/**
 * The panels of the wallet beside web pages, at most one in each browser window. A panel shows the requests of the tabs
 * in its window. Its id is the window's id.
 */
import type { Requests } from './store.ts'

export type Panels = {
  /** Returns the open panel beside a tab, or null. */
  beside(tab: number): Promise<number | null>
  isOpen(panel: number): Promise<boolean>
  /** Brings the panel's window to the front. */
  show(panel: number): Promise<void>
}

/** For a wallet without panels. */
export const NO_PANELS: Panels = { beside: async () => null, isOpen: async () => false, show: async () => undefined }

/** Returns the panels that are closed, but still have pending requests. */
export const closedPanels = async ({
  requests,
  panels,
}: {
  requests: Pick<Requests, 'open'>
  panels: Pick<Panels, 'isOpen'>
}): Promise<readonly number[]> => {
  const used = new Set((await requests.open()).flatMap(({ panel }) => panel ?? []))
  const checked = await Promise.all([...used].map(async panel => ({ panel, isOpen: await panels.isOpen(panel) })))
  return checked.filter(({ isOpen }) => !isOpen).map(({ panel }) => panel)
}
