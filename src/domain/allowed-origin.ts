/** From which pages an application may call us (contract 4.7). */

type Registered = { redirectUris: readonly string[]; listed: unknown }

/** Our own origin, what the application listed, and wherever it may be redirected to. */
export function mayCallFrom(origin: string, own: string, { redirectUris, listed }: Registered): boolean {
  return (
    origin !== 'null' &&
    (origin === own ||
      redirectUris.some((uri) => URL.parse(uri)?.origin === origin) ||
      (Array.isArray(listed) && listed.includes(origin)))
  )
}
