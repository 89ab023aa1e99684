/** The origin whose API the console calls, and at which its users sign in. */
export const apiOrigin = window.location.origin
