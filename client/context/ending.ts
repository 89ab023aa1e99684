import { createContext, useContext } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'

/** Why no page is shown: there is none at the path, or it needs what the previous page would have learned. */
type MissingReason = 'notFound' | 'navigationMissing'

export const MissingContext = createContext<MissingReason>('notFound')

export const useMissingReason = (): MissingReason => useContext(MissingContext)

/** Checks whether an error ends the interaction. */
export const endsInteraction = ({ code }: NonNullable<BootData['error']>): boolean =>
  code.startsWith('session.')
