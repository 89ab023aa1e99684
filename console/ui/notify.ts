import { createContext, useContext } from 'react'

export type Notify = {
  /** Shows a confirmation, with a button for `undo` if there is one. */
  success: (text: string, undo?: () => Promise<void>) => void
  /** Shows a failure that belongs to no form. It stays until the next notification or until it is closed. */
  failure: (error: unknown) => void
}

export const NotifyContext = createContext<Notify>({ success: () => {}, failure: () => {} })

export const useNotify = (): Notify => useContext(NotifyContext)
