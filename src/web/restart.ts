import { INTERACTION_PARAM } from '../contract/interaction.ts'
import type { PageInteraction } from './page-context.ts'

/**
 * Where an interaction can be begun again (decision 6): the authorization request it came from, which the provider
 * validates afresh. What was pushed must not be seen in an address, and a request too long for the cookie is not known:
 * `/restart`, in the provider's room, finds a way.
 */
export function restartUrl(interaction: PageInteraction | null): string | null {
  if (!interaction) return null
  const { request, isPushed } = interaction.cookie
  return request && !isPushed
    ? `/oidc/auth?${queryOf(request)}`
    : `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: interaction.uid })}`
}

/** Every page with a form says this address. URLSearchParams would be a tenth of the time such a page takes. */
const queryOf = (request: Record<string, string>) =>
  Object.entries(request)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
    .replaceAll('%20', '+')
