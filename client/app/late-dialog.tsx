import { type ComponentType, createElement } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { DialogProps } from '../reactions/reaction-effects.ts'

let loaded: ComponentType<DialogProps> | null = null

/** Checks whether the server rendered an open dialog. */
export const hasOpenDialog = (notice: BootData['notice']): boolean =>
  notice?.kind === 'alert' || notice?.kind === 'confirm'

/**
 * Loads the dialog and its styles. They are loaded together with the journeys, because hydration needs neither
 * unless a dialog is open.
 */
export async function loadDialog(): Promise<void> {
  const [{ ReactionDialog }] = await Promise.all([import('./dialogs.tsx'), import('../styles/dialog.css')])
  loaded = ReactionDialog
}

/** The dialog, or nothing until it is loaded. Reactions open it only after it has been loaded. */
export const LazyDialog = (props: DialogProps) => loaded && createElement(loaded, props)
