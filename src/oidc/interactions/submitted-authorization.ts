import type { PrepareAuthorization } from '../../application/interactions/authorization.ts'
import { pathCookieName } from '../../contract/cookie-names.ts'
import { cookieHeader, requestCookies, sentCookies } from '../../contract/request-cookies.ts'
import { copyLocation } from '../../domain/factors/sign-in-place.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { OIDC_PATH } from '../mount.ts'
import { emptyPrefetch } from '../persistence/model-reader.ts'
import { createInteractionPrefetch } from '../persistence/prefetch.ts'
import type { ProviderServer } from '../provider-server.ts'
import { runWithProviderRequest } from '../request-context.ts'
import { signCookie } from '../sessions/carried-session.ts'
import { readBrowserInteraction } from './interaction-pages.ts'

/**
 * Returns a function that lets a submission finish the authorization of its interaction: it runs the resume of the
 * interaction for the same browser, so that the library evaluates every prompt, and returns what the library would
 * write (spec/interaction#direct-response, ADR-0192).
 */
export const createSubmittedAuthorizations = (server: ProviderServer): PrepareAuthorization => {
  const { db, clients, interactions } = server
  const prefetchInteraction = createInteractionPrefetch({
    clients,
    readBrowserInteraction: readBrowserInteraction(db, interactions),
  })

  return async ({ request: submission, uid, userId, ...source }) => {
    const tasks: (() => Promise<unknown>)[] = []
    const background = (task: () => Promise<unknown>) => void tasks.push(task)
    const [cookieKey = ''] = await server.cookieKeys()
    const resume = toResumeRequest(submission, uid, cookieKey)
    const request = await server.receive(resume, { ...source, background })
    const { work } = request
    const prefetch = await runWithProviderRequest(request, () => prefetchInteraction(uid))
    const { _session: sessionCookie } = requestCookies(request.request)
    const session =
      sessionCookie === undefined ? [] : [{ modelName: 'Session', id: await sha256Base64Url(sessionCookie) }]
    const { statements, remember } = work.preload([...session, { modelName: 'Interaction', id: uid }], {
      ...(prefetch ?? emptyPrefetch),
      // The call itself creates the row.
      creation: [],
      userId,
    })

    return {
      statements,
      async finish(results, { result, user }) {
        remember(results)
        const row = work.cached('Interaction', uid)
        // The interaction of a device, and one that began under another host name, continue elsewhere.
        if (!prefetch || row?.payload.returnTo !== resume.url) return null
        work.assume({ ...row, payload: { ...row.payload, result } }, user)
        const outcome: NonNullable<typeof request.submission> = {}
        const response = await server.answer({ ...request, submission: outcome })
        const redirectTo = response.headers.get('location')
        // Nobody needs the body, but the library's server ends only once it has been read.
        await response.arrayBuffer()
        if (!redirectTo || !outcome.finished) return null
        return { redirectTo, cookies: response.headers.getSetCookie(), finished: outcome.finished, tasks }
      },
    }
  }
}

/** The headers to copy from the submission. The session's row and the audit entry contain the user agent. */
const HEADERS = ['accept-language', 'cf-connecting-ip', 'user-agent'] as const

/**
 * Returns the request with which the browser would resume the interaction. The resume cookie of the library is bound to
 * that path. It is replaced, because the sealed cookie of the interaction, which the submission has, proves more: no
 * other host of the domain can set it (spec/provider#authorization).
 */
function toResumeRequest(submission: Request, uid: string, cookieKey: string): Request {
  const url = new URL(`${OIDC_PATH}/auth/${uid}`, submission.url)
  const headers = new Headers({ accept: 'text/html' })
  for (const name of HEADERS) {
    const value = submission.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const name = pathCookieName('_interaction_resume', url)
  const cookies = sentCookies(submission.headers)
    .set(name, uid)
    .set(`${name}.sig`, signCookie(`${name}=${uid}`, cookieKey))
  headers.set('cookie', cookieHeader(cookies))
  return new Request(url, { headers, ...copyLocation(submission) })
}
