/** Returns an endpoint with further parameters. Undefined ones are left out, and the endpoint's own query is kept. */
export function withQuery(endpoint: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
