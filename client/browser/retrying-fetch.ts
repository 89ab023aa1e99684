const TIMEOUT_MS = 10_000 // product 9
/** A server that asks for more patience than this is talking to the visitor, who is told (decision 16). */
const RETRY_AFTER_MOST_SECONDS = 3

/**
 * `fetch` that gives up after ten seconds and tries again as product 7 says, which are ky's own rules. ky comes with
 * the first call. A page left open over a deployment may not find it any more and does without retries.
 */
export async function retryingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const library = await import('ky').catch(() => null)
  if (!library) return fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })

  const { default: ky, isHTTPError } = library
  try {
    return await ky(input, {
      ...init,
      timeout: TIMEOUT_MS,
      retry: {
        shouldRetry: ({ error }) =>
          isHTTPError(error) && Number(error.response.headers.get('Retry-After')) > RETRY_AFTER_MOST_SECONDS
            ? false
            : undefined,
      },
    })
  } catch (error) {
    // ky has read the body of a refusal to put it into its error.
    if (isHTTPError(error)) return Response.json(error.data ?? null, { status: error.response.status })
    throw error
  }
}
