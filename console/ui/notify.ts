import { createContext, useContext } from 'react'

export type Notify = {
  /** Confirms; with `undo` it offers to take the change back. */
  success: (text: string, undo?: () => Promise<void>) => void
  /** For a refusal that belongs to no form. It stays until the next one, or until it is closed. */
  failure: (error: unknown) => void
}

export const NotifyContext = createContext<Notify>({ success: () => {}, failure: () => {} })

export const useNotify = (): Notify => useContext(NotifyContext)
