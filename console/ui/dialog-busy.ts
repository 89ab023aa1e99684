import { createContext } from 'react'

/** Tells the dialog around a form that something is sent: until the answer it is not closed, which may be what is shown once. */
export const DialogBusyContext = createContext<(isBusy: boolean) => void>(() => {})
