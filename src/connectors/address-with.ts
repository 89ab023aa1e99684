/** An endpoint with a query. What is undefined is left out; what the endpoint says already stays. */
export function addressWith(endpoint: string, query: Record<string, string | undefined>): string {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
