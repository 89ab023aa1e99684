import { type ComponentType, createElement } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { loadStyles } from '../browser/late-styles.ts'
import type { DialogProps } from '../reactions/reaction-effects.ts'

let loaded: ComponentType<DialogProps> | null = null

/** Whether the server has rendered a dialog open. */
export const opensDialog = (notice: BootData['notice']): boolean =>
  notice?.kind === 'alert' || notice?.kind === 'confirm'

/** Hydration needs no dialog, unless one is open: it comes with the journeys. */
export async function loadDialog(): Promise<void> {
  loaded ??= (await import('./dialogs.tsx')).ReactionDialog
}

/** The same for a dialog that the script opens, whose styles the page may lack. */
export const loadNextDialog = (): Promise<unknown> => Promise.all([loadDialog(), loadStyles()])

/** Nothing is opened before it is loaded. */
export const LateDialog = (props: DialogProps) => loaded && createElement(loaded, props)
