import { ORGANIZATION_FIELD } from '../../src/contract/organisations/organizations.ts'
import { readOutcome } from '../api/api.ts'
import { getReactionToFailure } from '../journeys/reaction-table.ts'
import { type FormJourney, messageAboveForm, type PageJourneys } from '../reactions/reactions.ts'

/**
 * Acts for the organisation of the button from now on, and returns to the application (spec/organisations#page). If the
 * user has just lost the organisation, the page says so and offers the others.
 */
const chooseOrganization: FormJourney = async ({ api, form, boot }) => {
  const json = { organizationId: form[ORGANIZATION_FIELD] ?? '' }
  const chosen = await readOutcome<{ redirectTo: string }>(api.calls.organization.$post({ json }))
  return chosen.ok
    ? { kind: 'leave', url: chosen.value.redirectTo, replace: true }
    : getReactionToFailure(chosen.error, boot, {
        'organization.not_member': ({ message }) => messageAboveForm(message),
      })
}

export const journeys: PageJourneys = { send: chooseOrganization }
