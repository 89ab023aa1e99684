import { type ComponentType, createElement } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { DialogProps } from '../reactions/reaction-effects.ts'

let loaded: ComponentType<DialogProps> | null = null

/** Checks whether the server has rendered an open dialog. */
export const hasOpenDialog = (notice: BootData['notice']): boolean =>
  notice?.kind === 'alert' || notice?.kind === 'confirm'

/** Loads the dialog and its styles together with the journeys. Hydration needs neither unless a dialog is open. */
export async function loadDialog(): Promise<void> {
  const [{ ReactionDialog }] = await Promise.all([import('./dialogs.tsx'), import('../styles/dialog.css')])
  loaded = ReactionDialog
}

/** The dialog. Nothing opens it before it is loaded. */
export const LazyDialog = (props: DialogProps) => loaded && createElement(loaded, props)
