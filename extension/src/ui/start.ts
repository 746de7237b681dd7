/** Starts a page of the wallet. */
import './theme.css'
import './css/base.css'
import './css/window.css'
import './css/button.css'
import './css/field.css'
import './css/identity.css'
import './css/approval.css'
import './css/content.css'
import './css/effects.css'
import './css/feedback.css'
import './css/home.css'
import './css/onboarding.css'
import './css/settings.css'
import './css/remote.css'
import './css/panel.css'
import { type Component, mount } from 'svelte'
import type { UiPort } from '../messages.ts'
import { keepFocus } from './dom/kept-focus.ts'
import { showTheme } from './dom/theme.ts'
import { text } from './format/text.ts'
import Confirm from './screens/frame/Confirm.svelte'
import Page from './screens/frame/Page.svelte'
import { type Client, createClient } from './state/client.svelte.ts'
import { namesContext } from './state/names.ts'
import { withPrices } from './state/prices.svelte.ts'

/**
 * Adds the icons of public/icons.svg to the page, where `Icon.svelte` refers to them. A reference to the file would load
 * it again for each icon. Rejects if the file cannot be read.
 */
export const addIcons = async (page: Document): Promise<void> => {
  const sprite = await (await fetch('/icons.svg')).text()
  const { documentElement } = new DOMParser().parseFromString(sprite, 'image/svg+xml')
  documentElement.setAttribute('class', 'sprite')
  page.body.append(page.importNode(documentElement, true))
}

/** Prepares the document for a root component: language, theme and focus. */
export const prepare = (): void => {
  document.documentElement.lang = text('language')
  document.documentElement.dir = text('direction')
  showTheme()
  keepFocus(document)
}

/**
 * Mounts a root component and connects it to the background. `given` is added to its Svelte context. Returns the mounted
 * components.
 */
export const mountRoot = (
  Root: Component<{ client: Client }>,
  connect: () => UiPort,
  given: ReadonlyMap<symbol, unknown> = new Map(),
): Record<string, unknown>[] => {
  const client = createClient(connect)
  const context = new Map([...withPrices(namesContext(client), client), ...given])
  return [
    mount(Confirm, { target: document.body, props: { client } }),
    mount(Page, { target: document.body, props: { client, Root }, context }),
  ]
}

/** Starts a page. See `mountRoot`. */
export const start = (...of: Parameters<typeof mountRoot>): void => {
  prepare()
  void addIcons(document)
  mountRoot(...of)
}
