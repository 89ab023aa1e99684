import { INTERACTION_PARAM } from '../contract/interaction.ts'
import type { VisitedInteraction } from './visit.ts'

/**
 * Where an interaction can be begun again (decision 6): the authorization request it came from, which the provider
 * validates afresh. What was pushed must not be seen in an address, and a request too long for the cookie is not known:
 * `/restart`, in the provider's room, finds a way.
 */
export function restartUrl(interaction: VisitedInteraction | null): string | null {
  if (!interaction) return null
  const { request, isPushed } = interaction.cookie
  return request && !isPushed
    ? `/oidc/auth?${new URLSearchParams(request)}`
    : `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: interaction.uid })}`
}
