import { createContext, useContext } from 'react'
import type { InteractionApi } from './api.ts'

/** A function that loads the API client, which is needed only for the first call. */
type LoadApi = () => Promise<InteractionApi>

/**
 * The API context, provided by `client/entry.tsx` because only the browser makes calls over the network. Nothing
 * is called during rendering.
 */
const ApiContext = createContext<LoadApi | null>(null)
export const ApiProvider = ApiContext.Provider

/** Returns the function that loads the API, or null where no calls can be made, as in a preview. */
export const useApi = (): LoadApi | null => useContext(ApiContext)
