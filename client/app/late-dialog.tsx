import { type ComponentProps, createElement } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { loadStyles } from '../browser/late-styles.ts'
import type { ReactionDialog } from './dialogs.tsx'

type Dialog = typeof ReactionDialog

let loaded: Dialog | null = null

/** Whether the server has rendered a dialog open. */
export const opensDialog = (notice: BootData['notice']): boolean =>
  notice?.kind === 'alert' || notice?.kind === 'confirm'

/** Hydration needs no dialog, unless one is open: it comes with the journeys. */
export async function loadDialog(): Promise<void> {
  loaded ??= (await import('../journeys/all.ts')).ReactionDialog
}

/** The same for a dialog that the script opens, whose styles the page may lack. */
export const loadNextDialog = (): Promise<unknown> => Promise.all([loadDialog(), loadStyles()])

/** Nothing is opened before it is loaded. */
export const LateDialog = (props: ComponentProps<Dialog>) => loaded && createElement(loaded, props)
