import { INTERACTION_PARAM, SWITCH_ACCOUNT_QUERY } from '../../contract/interactions/interaction.ts'
import type { PageInteraction } from './page-context.ts'

/**
 * Returns the URL that restarts an interaction (spec/pages#start-again). Usually this is the URL of its authorization
 * request, which the provider validates again. The URL of `/restart`, which reads the request from storage, is returned
 * if the request was pushed and must not appear in a URL, or was too long for the cookie.
 */
export function restartUrl(interaction: PageInteraction | null): string | null {
  if (!interaction) return null
  const { request, isPushed } = interaction.cookie
  return request && !isPushed
    ? `/oidc/auth?${queryOf(request)}`
    : `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: interaction.uid })}`
}

/**
 * Returns a URL that repeats the interaction's request and lets the user choose another account (spec/provider#restart,
 * ADR-0073). Returns null if the request is unknown here, or if it contains an ID token that requires a certain user
 * (OIDC Core §3.1.2.1, `id_token_hint`).
 */
export function switchAccountUrl({ uid, cookie }: PageInteraction): string | null {
  if (!cookie.request || cookie.request.id_token_hint) return null
  return `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: uid, ...SWITCH_ACCOUNT_QUERY })}`
}

/**
 * Builds a query string without URLSearchParams or array methods, which would take 10 % and 3 %, respectively, of the
 * time to render a page. Every page with a form contains this URL.
 */
function queryOf(request: Record<string, string>): string {
  let query = ''
  for (const name in request) {
    query += `${query && '&'}${encodeValue(name)}=${encodeValue(request[name] ?? '')}`
  }
  return query
}

const encodeValue = (text: string) =>
  UNRESERVED.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')

const UNRESERVED = /^[\w.-]*$/
