/** The panel beside web pages, and the wallet in a tab. */
import { firstPort } from '../browser/first-port.ts'
import '../hardening/first.ts'
import { createPanelWindow } from '../browser/panel-window.ts'
import { createConnect } from '../browser/ui-port.ts'
import Panel from './screens/panel/Panel.svelte'
import { start } from './start.ts'
import { panelContext } from './state/panel-window.ts'

start(Panel, createConnect(firstPort), panelContext(createPanelWindow()))
