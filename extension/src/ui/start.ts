/** Draws a root component into the page, with its connection to the background. */
import './theme.css'
import './css/base.css'
import './css/window.css'
import './css/button.css'
import './css/field.css'
import './css/identity.css'
import './css/approval.css'
import './css/content.css'
import './css/feedback.css'
import './css/home.css'
import './css/onboarding.css'
import { type Component, mount } from 'svelte'
import { type Client, createClient, type UiPort } from './client.svelte.ts'
import { text } from './text.ts'

export const start = (Root: Component<{ client: Client }>, connect: () => UiPort): void => {
  document.documentElement.lang = text('language')
  mount(Root, { target: document.body, props: { client: createClient(connect) } })
}
