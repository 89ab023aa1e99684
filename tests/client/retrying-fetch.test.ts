import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchWithRetries } from '../../client/api/retrying-fetch.ts'

/** Tests how pages repeat failed API calls (spec/limits#page-calls, spec/pages#calls). */

const answer = (status: number, retryAfter?: string) =>
  new Response(null, { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } })
const timeout = () => new DOMException('too late', 'TimeoutError')

const fetched = vi.spyOn(globalThis, 'fetch')
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  fetched.mockReset()
})

/**
 * Calls a server that returns the responses in order. Returns the outcome, the number of attempts and the time waited.
 */
async function call(method: string, answers: (Response | Error)[]) {
  for (const each of answers)
    each instanceof Error ? fetched.mockRejectedValueOnce(each) : fetched.mockResolvedValueOnce(each)
  const start = Date.now()
  const outcome = fetchWithRetries('/api', { method }).then(
    ({ status }) => status,
    ({ name }: Error) => name,
  )
  await vi.runAllTimersAsync()
  return { outcome: await outcome, calls: fetched.mock.calls.length, waited: Date.now() - start }
}

describe('a failed call is repeated', () => {
  it.each([408, 413, 429, 500, 502, 503, 504])('at most twice after the status %i', async (status) => {
    const refusals = [answer(status), answer(status), answer(status)]
    expect(await call('PUT', refusals)).toEqual({ outcome: status, calls: 3, waited: 900 })
  })

  // The specification: "up to 2 retries on GET, PUT, HEAD, DELETE, OPTIONS, TRACE".
  it.each(['GET', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])('with the method %s', async (method) => {
    const refusals = [answer(503), answer(503), answer(503)]
    expect(await call(method, refusals)).toEqual({ outcome: 503, calls: 3, waited: 900 })
  })

  it('after a failed connection', async () => {
    const answers = [new TypeError('Failed to fetch'), answer(204)]
    expect(await call('DELETE', answers)).toEqual({ outcome: 204, calls: 2, waited: 300 })
  })

  it('until its third attempt fails', async () => {
    const failures = [1, 2, 3].map(() => new TypeError('Failed to fetch'))
    expect(await call('GET', failures)).toEqual({ outcome: 'NetworkError', calls: 3, waited: 900 })
  })

  // The specification: "10 s timeout; […] Retry-After honoured."
  it.each([
    { retryAfter: '2', waited: 2000 },
    { retryAfter: '10', waited: 10_000 },
    { retryAfter: '0', waited: 0 },
    { retryAfter: 'Sun, 22 Nov 2026 10:00:03 GMT', waited: 3000 },
    { retryAfter: 'Sun, 22 Nov 2026 09:59:00 GMT', waited: 0 },
    { retryAfter: 'soon', waited: 300 },
  ])('after the delay in the header Retry-After: $retryAfter', async ({ retryAfter, waited }) => {
    vi.setSystemTime('2026-11-22T10:00:00Z')
    expect(await call('PUT', [answer(429, retryAfter), answer(204)])).toEqual({
      outcome: 204,
      calls: 2,
      waited,
    })
  })

  it('after the usual delay despite a Retry-After header in a 500 response', async () => {
    expect(await call('PUT', [answer(500, '9'), answer(204)])).toEqual({
      outcome: 204,
      calls: 2,
      waited: 300,
    })
  })
})

describe('the last attempt starts at most 20 seconds after the first', () => {
  /** Calls a server that takes its time for each response. */
  async function callSlowly(seconds: number, answers: (Response | Error)[]) {
    for (const each of answers)
      fetched.mockImplementationOnce(async () => {
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
        if (each instanceof Error) throw each
        return each
      })
    return call('PUT', [])
  }

  it.each([
    {
      what: 'not after a long Retry-After',
      seconds: 9,
      answers: [answer(503, '10'), answer(503, '10')],
      expected: { outcome: 503, calls: 2, waited: 28_000 },
    },
    {
      what: 'not after a failed connection',
      seconds: 9.9,
      answers: [answer(503, '10'), new TypeError('Failed to fetch')],
      expected: { outcome: 'NetworkError', calls: 2, waited: 29_800 },
    },
    {
      what: 'twice after long delays of a server that responds at once',
      seconds: 0,
      answers: [answer(503, '10'), answer(503, '10'), answer(204)],
      expected: { outcome: 204, calls: 3, waited: 20_000 },
    },
  ])('so the call is repeated $what', async ({ seconds, answers, expected }) => {
    expect(await callSlowly(seconds, answers)).toEqual(expected)
  })
})

describe('a call is made once', () => {
  it.each([
    { condition: 'its method is POST', method: 'POST', first: answer(503), outcome: 503 },
    {
      condition: 'its method is PATCH',
      method: 'PATCH',
      first: new TypeError('Failed to fetch'),
      outcome: 'NetworkError',
    },
    { condition: 'the status code is not retryable', method: 'PUT', first: answer(422), outcome: 422 },
    {
      condition: 'Retry-After exceeds the time limit',
      method: 'PUT',
      first: answer(429, '11'),
      outcome: 429,
    },
    { condition: 'it times out', method: 'PUT', first: timeout(), outcome: 'TimeoutError' },
  ])('if $condition', async ({ method, first, outcome }) => {
    expect(await call(method, [first])).toEqual({ outcome, calls: 1, waited: 0 })
  })
})

it('each attempt times out after ten seconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout')
  await call('PUT', [answer(500), answer(204)])
  expect(limit.mock.calls).toEqual([[10_000], [10_000]])
})
