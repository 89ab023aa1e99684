import { type ComponentType, createElement } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { DialogProps } from '../reactions/reaction-effects.ts'

let loaded: ComponentType<DialogProps> | null = null

/** Whether the server has rendered a dialog open. */
export const opensDialog = (notice: BootData['notice']): boolean =>
  notice?.kind === 'alert' || notice?.kind === 'confirm'

/** Hydration needs no dialog, unless one is open: it comes with the journeys, and its styles with it. */
export async function loadDialog(): Promise<void> {
  const [{ ReactionDialog }] = await Promise.all([import('./dialogs.tsx'), import('../styles/dialog.css')])
  loaded = ReactionDialog
}

/** Nothing is opened before it is loaded. */
export const LateDialog = (props: DialogProps) => loaded && createElement(loaded, props)
