import { createContext, useContext } from 'react'
import type { InteractionApi } from './api.ts'

/** Loads the API, which arrives with the first call. */
type LoadApi = () => Promise<InteractionApi>

/** Provided by `client/entry.tsx`, because the network belongs to the browser. Nothing is called during rendering. */
const ApiContext = createContext<LoadApi | null>(null)
export const ApiProvider = ApiContext.Provider

/** Returns null if nothing can be called, as in a preview. */
export const useApi = (): LoadApi | null => useContext(ApiContext)
