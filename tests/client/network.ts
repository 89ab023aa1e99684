import { createApi } from '../../client/api/api.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'

type Call = { method: string; path: string; headers: Headers; body: unknown }

/** Creates the API of a flow with a stub network that returns responses in order and records calls. */
export function networkStub(...responses: (Response | Error)[]) {
  const calls: Call[] = []
  const api = createApi({
    baseUrl: 'https://id.example.com',
    language: 'de',
    interaction: 'uid',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { method, headers } = request
      const text = await request.text()
      calls.push({ method, path: new URL(request.url).pathname, headers, body: text && JSON.parse(text) })
      const answer = responses.shift() ?? new Error('one call too many')
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { api, calls, requests: () => calls.map(({ method, path }) => `${method} ${path}`) }
}

export const noContent = () => new Response(null, { status: 204 })
export const redirectResponse = () => Response.json({ redirectTo: 'https://id.example.com/oidc/auth/uid' })
export const errorResponse = (code: ErrorCode, status: number, data?: unknown) =>
  Response.json({ code, message: `message of ${code}`, data }, { status })
