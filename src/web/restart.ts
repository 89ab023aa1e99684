import { INTERACTION_PARAM } from '../contract/interaction.ts'
import type { VisitedInteraction } from './visit.ts'

/**
 * Where an interaction can be begun again (decision 6): the authorization request it came from, which the provider
 * validates afresh. A pushed request served once, so `/restart` has to push it again first.
 */
export function restartUrl(interaction: VisitedInteraction | null): string | null {
  const request = interaction?.cookie.request
  if (!interaction || !request) return null
  return request.request_uri
    ? `/restart?${new URLSearchParams({ [INTERACTION_PARAM]: interaction.uid })}`
    : `/oidc/auth?${new URLSearchParams(request)}`
}
