import { createContext, useContext } from 'react'
import type { InteractionApi } from './api.ts'

/** A function that loads the API client. The client is not loaded until the first call. */
type LoadApi = () => Promise<InteractionApi>

/** The context that provides the API client in the browser (`client/entry.tsx`). No calls are made during rendering. */
const ApiContext = createContext<LoadApi | null>(null)
export const ApiProvider = ApiContext.Provider

/** Returns the function that loads the API client, or null if no calls can be made, as in a preview. */
export const useApi = (): LoadApi | null => useContext(ApiContext)
