/**
 * The origin whose API the console calls, and at which its users sign in: another one where the console has a host of its own
 * (spec/console#own-host).
 */
export const apiOrigin =
  document.querySelector<HTMLMetaElement>('meta[name=api-origin]')?.content ?? window.location.origin
