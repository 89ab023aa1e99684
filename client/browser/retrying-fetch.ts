const TIMEOUT_MS = 10_000 // spec/limits#page-calls
/** After a longer `Retry-After` the page shows the refusal and does not wait (spec/pages#calls). */
const RETRY_AFTER_MAX_SECONDS = 3

/**
 * `fetch` with a timeout of ten seconds and the retries of ky (spec/limits#page-calls). ky is loaded with the first call. A page
 * that stays open over a deployment may not find its file, and calls without retries.
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
          isHTTPError(error) && Number(error.response.headers.get('Retry-After')) > RETRY_AFTER_MAX_SECONDS
            ? false
            : undefined,
      },
    })
  } catch (error) {
    // ky has read the body of the refusal into its error.
    if (isHTTPError(error)) return Response.json(error.data ?? null, { status: error.response.status })
    throw error
  }
}
