import { errors, type KoaContextWithOIDC, interactionPolicy as policies } from 'oidc-provider'
import { SELECT_ORGANIZATION } from '../../contract/organisations/organizations.ts'
import { organizationModeOf, organizationOfRequest } from '../access/organization.ts'

const { Check, Prompt } = policies

/**
 * The prompt between the sign-in and the consent, at whose page the user chooses an organisation
 * (spec/organisations#page). Users who may not act as the request demands are refused here, because it is clear only
 * now that nobody else signs in. The library's own check would also ask users who have nothing to choose.
 */
export function createOrganizationPrompt() {
  const undecided = new Check(
    'organization_undecided',
    'the user has to choose an organization',
    'interaction_required',
    async (ctx) => {
      const chosen = await organizationOfRequest(ctx)
      if (chosen.kind !== 'refuse') return chosen.kind === 'ask'
      throw chosen.error === 'access_denied'
        ? new errors.AccessDenied(chosen.description)
        : new errors.InvalidRequest(chosen.description)
    },
  )
  const prompt = new Prompt({ name: SELECT_ORGANIZATION, requestable: true }, choiceDetails, undecided)
  prompt.checks.remove(`${SELECT_ORGANIZATION}_prompt`)
  return prompt
}

/** Returns what the page needs to know besides the user's organisations. */
const choiceDetails = ({ oidc: { client } }: KoaContextWithOIDC) => ({
  allowsPersonal: client !== undefined && organizationModeOf(client.clientId, client) === 'optional',
})
