import { INTERACTION_PARAM, SWITCH_ACCOUNT_QUERY } from '../../contract/interactions/interaction.ts'
import type { PageInteraction } from './page-context.ts'

/**
 * Where an interaction can start again (spec/pages#start-again): at the authorization request it came from, which the provider
 * validates anew. A pushed request must not be seen in an address, and one too long for the cookie is not known here: for those
 * `/restart` reads the request from storage.
 */
export function restartUrl(interaction: PageInteraction | null): string | null {
  if (!interaction) return null
  const { request, isPushed } = interaction.cookie
  return request && !isPushed
    ? `/oidc/auth?${queryOf(request)}`
    : `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: interaction.uid })}`
}

/**
 * Where the request of an interaction asks again who signs in (spec/provider#restart, ADR-0073). Not where the request is not known here, nor
 * where the application has named the user by an ID token (OIDC Core §3.1.2.1, `id_token_hint`).
 */
export function switchAccountUrl({ uid, cookie }: PageInteraction): string | null {
  if (!cookie.request || cookie.request.id_token_hint) return null
  return `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: uid, ...SWITCH_ACCOUNT_QUERY })}`
}

/** Every page with a form has this address. URLSearchParams would take a tenth of the time of such a page, array methods 3 %. */
function queryOf(request: Record<string, string>): string {
  let query = ''
  for (const name in request) {
    query += `${query && '&'}${encoded(name)}=${encoded(request[name] ?? '')}`
  }
  return query
}

const encoded = (text: string) =>
  UNRESERVED.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')

const UNRESERVED = /^[\w.-]*$/
