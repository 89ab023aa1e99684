import { createContext, useContext } from 'react'
import type { BootData } from '../../src/contract/interactions/boot.ts'

/**
 * The reason why no page is shown: no page has this path, or the navigation state from the previous page is missing.
 */
type MissingReason = 'notFound' | 'navigationMissing'

export const MissingPageContext = createContext<MissingReason>('notFound')

export const useMissingPageReason = (): MissingReason => useContext(MissingPageContext)

/** Checks whether an error means that a link from an email or an invitation has expired. */
export const isExpiredLink = ({ code }: NonNullable<BootData['error']>): boolean =>
  /^user\.(?:invitation|undo_link)_/.test(code)

/** Checks whether an error ends the interaction. */
export const endsInteraction = ({ code }: NonNullable<BootData['error']>): boolean =>
  code.startsWith('session.')
