import { createContext, useContext } from 'react'

/** Why no page is shown: there is none at the path, or it needs what the page before it learned. */
type Missing = 'notFound' | 'navigationMissing'

export const MissingContext = createContext<Missing>('notFound')

export function useMissing(): Missing {
  return useContext(MissingContext)
}
