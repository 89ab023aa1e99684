import { createContext, useContext } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'

/** Why no page is shown: there is none at the path, or it needs what the previous page would have learned. */
type Missing = 'notFound' | 'navigationMissing'

export const MissingContext = createContext<Missing>('notFound')

export const useMissingReason = (): Missing => useContext(MissingContext)

/** Checks whether an error ends the interaction. */
export const endsInteraction = ({ code }: NonNullable<BootData['error']>): boolean =>
  code.startsWith('session.')
