/** The part of the library's context that answers use; before a route is found there is no more. */
export type PageAnswer = {
  status: number
  body: unknown
  set(name: string, value: string): void
}

/** One of our pages in place of the library's. */
export async function respond(ctx: PageAnswer, response: Response): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') ctx.set(name, value)
  }
  ctx.status = response.status
  ctx.body = await response.text()
}
