/**
 * The part of the library's context that a response needs. Until a route is matched, the context has no other
 * properties.
 */
export type ResponseContext = {
  status: number
  body: unknown
  set(name: string, value: string): void
}

/** Responds with one of our pages instead of the library's. */
export async function respondWith(ctx: ResponseContext, response: Response): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') ctx.set(name, value)
  }
  ctx.status = response.status
  ctx.body = await response.text()
}
