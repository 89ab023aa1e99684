/** Adds query parameters to an endpoint without removing existing ones. Undefined parameters are omitted. */
export function withQuery(endpoint: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
