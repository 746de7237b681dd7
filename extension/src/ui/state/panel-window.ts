/** The window around the panel, for the panel's components. */
import { getContext, setContext } from 'svelte'
import type { PanelWindow } from '../../messages.ts'

const WINDOW = Symbol('window')
const BESIDE = Symbol('beside')

/** Returns the part of a root component's context that holds the window. */
export const panelContext = (window: PanelWindow): ReadonlyMap<symbol, PanelWindow> => new Map([[WINDOW, window]])

/** Returns the window around the page of the panel. Call it during component initialization. */
export const usePanelWindow = (): PanelWindow => getContext<PanelWindow>(WINDOW)

/** Shows the components below this one beside the window's pages. Call it during component initialization. */
export const openBeside = (window: PanelWindow): void => void setContext(BESIDE, window)

/** Returns the window if the component is in a panel beside its pages. Call it during component initialization. */
export const useBeside = (): PanelWindow | undefined => getContext<PanelWindow | undefined>(BESIDE)
