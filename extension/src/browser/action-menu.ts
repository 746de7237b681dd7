/** The entry "Copy address" in the context menu of the toolbar button. */
import { toChainCase } from '@heliograph/shared/checksum'
import type { UiState } from '../messages.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

const COPY = 'copy-address'
const CLIPBOARD = { permissions: ['clipboardWrite' as const] }

export type ActionMenuParts = {
  readState(): Promise<Pick<UiState, 'selected' | 'chainId'>>
  copy(text: string): Promise<void>
  /** Shows that the address was copied. */
  onCopied(): void
}

/** Adds the listeners. Call it at the start of the background. The browser keeps the menu while the worker is stopped. */
export const createActionMenu = ({ readState, copy, onCopied }: ActionMenuParts): void => {
  const { runtime, permissions, contextMenus, i18n } = browser

  const create = async () => {
    await contextMenus.removeAll()
    contextMenus.create({ id: COPY, title: i18n.getMessage('copyAddress'), contexts: ['action'] })
  }
  runtime.onInstalled.addListener(() => void create().catch(report))
  runtime.onStartup.addListener(() => void create().catch(report))

  /** A locked wallet has no address to copy, so nothing is copied. */
  const copyAddress = async (isAllowed: boolean) => {
    const { selected, chainId } = await readState()
    if (!isAllowed || selected === null) return
    await copy(toChainCase(selected, chainId))
    onCopied()
  }
  contextMenus.onClicked.addListener(({ menuItemId }) => {
    // The browser asks the user once, and only while it handles the press, so nothing is awaited before.
    if (menuItemId === COPY) permissions.request(CLIPBOARD).then(copyAddress).catch(report)
  })
}
