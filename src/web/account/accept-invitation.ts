import { readIdentifier } from '../../../client/journeys/identifiers.ts'
import { validateNewPassword } from '../../../client/journeys/new-password-problems.ts'
import { validateRegisterTerms } from '../../../client/journeys/terms-problems.ts'
import {
  acceptInvitation,
  createAdministrator,
  type OpenInvitation,
  readInvitation,
} from '../../application/access/accept-invitation.ts'
import { INVITATION_PARAM, INVITATION_PATH } from '../../application/access/invite.ts'
import type { AuditEntry } from '../../application/audit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { INTENT_FIELD } from '../../contract/interactions/interaction.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import { selectInvitationIdentifiers } from '../../domain/access/administrator-account.ts'
import type { InProcessFetch } from '../in-process.ts'
import { createBootData } from '../pages/boot-data.ts'
import { readPageContext } from '../pages/page-context.ts'
import { redirectTo } from '../redirect.ts'
import { findSignedInUser, renderInvitationPage } from './invitation-page.tsx'
import { FieldProblem, findFormProblem } from './problem.ts'
import { beginSignIn, signInInProcess } from './sign-in.ts'
import { createSubmissionContext, type Submission } from './submission.ts'

/** The page to which administrators are redirected after accepting an invitation. */
const CONSOLE_PATH = '/console'

type InvitationRequest = {
  token: string
  invitation: OpenInvitation
  beginAudit(): AuditEntry
  fetch: InProcessFetch
}

/** Handles a form on the invitation page (spec/account-centre#invitations). */
export async function handleInvitationForm(
  dependencies: Dependencies,
  submission: Submission,
  fetch: InProcessFetch,
): Promise<Response> {
  const { tenantId, form, ip } = submission
  const token = form.get(INVITATION_PARAM) ?? ''
  const { trail, keepAudit, background } = createSubmissionContext(dependencies, submission)
  const invitation = await readInvitation(dependencies, { tenantId, token, ip, background })
  const auditDetails = { applicationId: ACCOUNT_APP_ID, roleId: invitation.roleId }
  const beginAudit = () => trail.begin('Account.Invitation.Accept', auditDetails)
  try {
    const response = await accept(dependencies, submission, { token, invitation, beginAudit, fetch })
    keepAudit()
    return response
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    // The page cannot be shown again if the link was used in the meantime.
    if (error instanceof RefusalError && error.refusal.code === 'user.invitation_invalid') throw error
    const problem = await findFormProblem(dependencies, submission, error, fieldOf)
    if (!problem) throw error
    const identifier = form.get('identifier') ?? ''
    return renderInvitationPage(dependencies, submission, { token, invitation, problem, typed: identifier })
  }
}

const fieldOf = {
  'user.username_already_in_use': 'identifier',
  'user.email_already_in_use': 'identifier',
  'password.compromised': 'newPassword',
}

async function accept(
  dependencies: Dependencies,
  submission: Submission,
  request: InvitationRequest,
): Promise<Response> {
  switch (submission.form.get(INTENT_FIELD)) {
    case 'create':
      return acceptWithNewAccount(dependencies, submission, request)
    case 'accept':
      return acceptWithSession(dependencies, submission, request)
    case 'signIn': {
      // Redirects to the sign-in page, where the user can also choose an account other than the signed-in one.
      const accountHint = request.invitation.email ?? ''
      return beginSignIn(dependencies, submission, { to: invitationUrl(request), accountHint })
    }
    default:
      return refuseWith('guard.invalid_input')
  }
}

/** Creates an account with the role and signs the user in to it. */
async function acceptWithNewAccount(
  dependencies: Dependencies,
  submission: Submission,
  { invitation, beginAudit, fetch }: InvitationRequest,
): Promise<Response> {
  const { tenantId, ip, form } = submission
  const context = await readPageContext(dependencies, submission)
  const account = await readNewAdministrator(form, createBootData(context))
  await createAdministrator(dependencies, { tenantId, ip, ...account, invitation, audit: beginAudit() })
  return signInInProcess(dependencies, submission, fetch, { ...account, to: CONSOLE_PATH, context })
}

/**
 * Reads the form for a new account and validates it with the rules of the registration page. Problems are shown next to
 * their fields.
 */
async function readNewAdministrator(
  fields: URLSearchParams,
  boot: BootData,
): Promise<{ identifier: Identifier; password: string }> {
  const accepted = selectInvitationIdentifiers(boot.experience)
  // The page has no form for creating an account if the tenant accepts no identifiers.
  if (accepted.length === 0) return refuseWith('user.sign_in_method_not_enabled')
  const form = Object.fromEntries(fields)
  const result = await readIdentifier({ form, boot, accepted, purpose: 'new' })
  if (result.kind === 'problem') throw new FieldProblem('identifier', result.message)
  const problems = { ...validateNewPassword(form, boot), ...validateRegisterTerms(form, boot) }
  for (const [field, problem] of Object.entries(problems)) throw new FieldProblem(field, problem)
  return { identifier: result.identifier, password: form.newPassword ?? '' }
}

/** Assigns the role to the signed-in account. */
async function acceptWithSession(
  dependencies: Dependencies,
  submission: Submission,
  request: InvitationRequest,
): Promise<Response> {
  const { tenantId, form } = submission
  const signedIn = await findSignedInUser(dependencies, submission)
  if (!signedIn) return beginSignIn(dependencies, submission, { to: invitationUrl(request) })
  const { user } = signedIn
  // Another user has signed in since the page was shown, for example in another tab.
  const accountId = form.get('account')
  if (accountId !== null && accountId !== user.id) return redirectTo(invitationUrl(request), 303)
  const audit = request.beginAudit()
  audit.add({ userId: user.id })
  await acceptInvitation(dependencies, { tenantId, invitation: request.invitation, user, audit })
  return redirectTo(CONSOLE_PATH, 303)
}

const invitationUrl = ({ token }: InvitationRequest) =>
  `${INVITATION_PATH}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`
