import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { mayReturnToApp } from '../../application/social/native-callback.ts'
import { BODY_MAX_BYTES } from '../../contract/body-limit.ts'
import { CONNECTOR_ID_PATTERN } from '../../contract/connectors/connectors.ts'
import { ACCOUNT_LINK_COOKIE } from '../../contract/cookie-names.ts'
import { refuse } from '../../contract/errors.ts'
import { readForm } from '../../contract/form-body.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import {
  ACCOUNT_LINK_STATE,
  parseInteractionState,
  parseSignInTestState,
} from '../../domain/social/social-state.ts'
import { renderErrorPage } from '../pages/error-pages.ts'
import { redirectTo } from '../redirect.ts'
import { deleteNativeReturn, unsealNativeReturn } from './native-return.ts'
import { findSignInTestCookie, handleSignInTest, signInTestPath } from './sign-in-test.ts'

type Route = Hono<{ Variables: RequestFacts }>

/**
 * The parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2), and `user`, which Apple posts at
 * the first sign-in.
 */
const POSTED_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'user'] as const

/** The pattern excludes paths that cannot be a connector's id, so that such paths never appear in a response header. */
const ADDRESS = `/callback/:connectorId{${CONNECTOR_ID_PATTERN}}` as const

/**
 * Serves /callback/{connectorId}, the URL to which providers redirect users (spec/pages#callback). Except for an
 * operator's test, it only redirects to a page of the interaction that the state names. This page compares the state
 * with the connector session. Browsers keep a fragment across the redirect.
 */
export function socialCallbackRoutes(dependencies: Dependencies): Route {
  return new Hono<{ Variables: RequestFacts }>()
    .get(ADDRESS, (c) => redirectOnward(c, c.req.param('connectorId'), new URL(c.req.url).searchParams))
    .post(
      ADDRESS,
      bodyLimit({
        maxSize: BODY_MAX_BYTES,
        onError: (c) =>
          renderErrorPage(
            dependencies,
            { tenantId: c.get('tenantId'), request: c.req.raw },
            refuse('guard.invalid_input', undefined, 413),
          ),
      }),
      handlePost,
    )

  /**
   * Handles `response_mode=form_post`. Browsers do not send our cookies with a POST request from another site, but they
   * do with the GET request after the redirect.
   */
  async function handlePost(c: Context<{ Variables: RequestFacts }>): Promise<Response> {
    const form = await readForm(c.req)
    const parameters = POSTED_PARAMETERS.flatMap((name): [string, string][] => {
      const value = form.get(name)
      return value === null ? [] : [[name, value]]
    })
    return seeOther(`${c.req.path}?${new URLSearchParams(parameters)}`)
  }

  async function redirectOnward(
    c: Context<{ Variables: RequestFacts }>,
    connectorId: string,
    query: URLSearchParams,
  ): Promise<Response> {
    const { tenantId, url } = c.var
    const native = await unsealNativeReturn(dependencies, { tenantId, connectorId, request: c.req.raw })
    // The application may have changed, and the interaction may have ended, while the user was away.
    const isReturn = native && native.state === query.get('state')
    if (isReturn && (await mayReturnToApp(dependencies, tenantId, native)))
      return seeOther(withQuery(native.callback, query), deleteNativeReturn(connectorId, url))
    const uid = parseInteractionState(query.get('state'))
    if (uid === ACCOUNT_LINK_STATE || (!query.has('state') && isLinking(c.req.raw)))
      return seeOther(`/account/identities/answer/${encodeURIComponent(connectorId)}?${query}`)
    const testId = parseSignInTestState(query.get('state'))
    if (testId !== null) return handleSignInTest(dependencies, c, { connectorId, testId, query })
    if (!query.has('state') && findSignInTestCookie(c.req.raw) !== undefined)
      return seeOther(signInTestPath(connectorId))
    const nextQuery = new URLSearchParams(query)
    // Only the state identifies the interaction. Anyone can make up the rest of the URL.
    nextQuery.delete(INTERACTION_PARAM)
    if (uid) nextQuery.set(INTERACTION_PARAM, uid)
    return seeOther(`/sign-in/social/${encodeURIComponent(connectorId)}?${nextQuery}`)
  }
}

/**
 * Checks whether the browser is linking a provider account. If so, the account-centre page passes on the state in the
 * fragment, whatever the state is for. The console does the same.
 */
const isLinking = (request: Request): boolean => ACCOUNT_LINK_COOKIE in requestCookies(request)

/** Appends parameters to a link that may already have a query. */
function withQuery(link: string, query: URLSearchParams): string {
  const url = new URL(link)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}

const seeOther = (location: string, ...cookies: string[]) => redirectTo(location, 303, cookies)
