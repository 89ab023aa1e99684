import { createContext, useContext } from 'react'
import type { InteractionApi } from './api.ts'

/** The API comes with the first call. */
type LoadApi = () => Promise<InteractionApi>

/** The network belongs to the browser, so `client/entry.tsx` provides it. Nothing is called while a page is rendered. */
const ApiContext = createContext<LoadApi | null>(null)
export const ApiProvider = ApiContext.Provider

/** Null where nothing is to be called, as in a preview. */
export const useApi = (): LoadApi | null => useContext(ApiContext)
