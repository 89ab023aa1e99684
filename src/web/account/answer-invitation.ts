import { readInvitation } from '../../application/access/accept-invitation.ts'
import { INVITATION_PARAM } from '../../application/access/invite.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { INTENT_FIELD } from '../../contract/interactions/interaction.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { type AccountForm, openForm } from './form-post.ts'
import { type GivenInvitation, makeAdministrator } from './make-administrator.ts'
import { refusedInvitation } from './refused-invitation.ts'
import { signInFirst, takeRole } from './take-role.ts'

/** A form of an invitation (spec/account-centre#invitations). */
export async function answerInvitation(
  dependencies: Dependencies,
  asked: AccountForm,
  inside: GivenInvitation['inside'],
): Promise<Response> {
  const { tenantId, form, ip } = asked
  const token = form.get(INVITATION_PARAM) ?? ''
  const { trail, keepAudit, background } = openForm(dependencies, asked)
  const invitation = await readInvitation(dependencies, { tenantId, token, ip, background })
  const about = { applicationId: ACCOUNT_APP_ID, roleId: invitation.roleId }
  const audit = () => trail.begin('Account.Invitation.Accept', about)
  try {
    const answer = await act(dependencies, asked, { token, invitation, audit, inside })
    keepAudit()
    return answer
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    return refusedInvitation(dependencies, asked, { token, invitation, error })
  }
}

async function act(
  dependencies: Dependencies,
  asked: AccountForm,
  given: GivenInvitation,
): Promise<Response> {
  switch (asked.form.get(INTENT_FIELD)) {
    case 'create':
      return makeAdministrator(dependencies, asked, given)
    case 'accept':
      return takeRole(dependencies, asked, given)
    case 'signIn':
      return signInFirst(dependencies, asked, given)
    default:
      return refuseWith('guard.invalid_input')
  }
}
