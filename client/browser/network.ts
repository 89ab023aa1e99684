/** A browser that says yes has no network; one that says no may have one that leads nowhere. */
export const isOffline = (): boolean => !navigator.onLine
