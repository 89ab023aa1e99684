import { createContext, useContext } from 'react'

/**
 * The reason why no page is shown: no page has this path, or the navigation state from the previous page is missing.
 */
type MissingReason = 'notFound' | 'navigationMissing'

export const MissingPageContext = createContext<MissingReason>('notFound')

export const useMissingPageReason = (): MissingReason => useContext(MissingPageContext)
