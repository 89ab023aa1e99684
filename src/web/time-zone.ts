/** Returns the time zone that Cloudflare derives from the IP address, or null if it is unknown. */
export function timeZoneOf(request: Request & { cf?: { timezone?: unknown } }): string | null {
  const zone = request.cf?.timezone
  if (typeof zone !== 'string') return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
