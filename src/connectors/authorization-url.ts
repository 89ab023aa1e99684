/** An authorization request (RFC 6749, 4.1.1). What is undefined is left out; what the endpoint says already stays. */
export function authorizationUrl(endpoint: string, query: Record<string, string | undefined>): string {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
