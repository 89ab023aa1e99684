import { INTERACTION_PARAM } from '../contract/interaction.ts'
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
