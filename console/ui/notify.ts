import { createContext, useContext } from 'react'

export type Notify = {
  /** Shows a confirmation, with an undo button if `undo` is passed. */
  success: (text: string, undo?: () => Promise<void>) => void
  /**
   * Shows a failure that doesn't belong to a form. It remains until the next notification or until the user closes it.
   */
  failure: (error: unknown) => void
}

export const NotifyContext = createContext<Notify>({ success: () => {}, failure: () => {} })

export const useNotify = (): Notify => useContext(NotifyContext)
