import { readIdentifier } from '../../../client/journeys/identifiers.ts'
import { newPasswordProblems } from '../../../client/journeys/new-password-problems.ts'
import { registerTermsProblems } from '../../../client/journeys/terms-problems.ts'
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
import { identifiersWithPassword } from '../../domain/access/administrator-account.ts'
import type { InProcessFetch } from '../in-process.ts'
import { bootData } from '../pages/boot-data.ts'
import { readPageContext } from '../pages/page-context.ts'
import { redirectTo } from '../redirect.ts'
import { findSignedIn, invitationPage } from './invitation-page.tsx'
import { FieldProblem, problemOf } from './problem.ts'
import { beginSignIn, signInInProcess } from './sign-in.ts'
import { type Submission, submissionContext } from './submission.ts'

/** Where administrators go on. */
const CONSOLE = '/console'

type InvitationRequest = {
  token: string
  invitation: OpenInvitation
  beginAudit(): AuditEntry
  fetch: InProcessFetch
}

/** A form of an invitation (spec/account-centre#invitations). */
export async function answerInvitation(
  dependencies: Dependencies,
  submission: Submission,
  fetch: InProcessFetch,
): Promise<Response> {
  const { tenantId, form, ip } = submission
  const token = form.get(INVITATION_PARAM) ?? ''
  const { trail, keepAudit, background } = submissionContext(dependencies, submission)
  const invitation = await readInvitation(dependencies, { tenantId, token, ip, background })
  const about = { applicationId: ACCOUNT_APP_ID, roleId: invitation.roleId }
  const beginAudit = () => trail.begin('Account.Invitation.Accept', about)
  try {
    const answer = await accept(dependencies, submission, { token, invitation, beginAudit, fetch })
    keepAudit()
    return answer
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    // A link that was used meanwhile has no page.
    if (error instanceof RefusalError && error.refusal.code === 'user.invitation_invalid') throw error
    const problem = await problemOf(dependencies, submission, error, fieldOf)
    if (!problem) throw error
    const typed = form.get('identifier') ?? ''
    return invitationPage(dependencies, submission, { token, invitation, problem, typed })
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
      // With another account than the one that is signed in, if there is one.
      const anew = request.invitation.email ?? ''
      return beginSignIn(dependencies, submission, { to: pageOf(request), anew })
    }
    default:
      return refuseWith('guard.invalid_input')
  }
}

/** A new account gets the role, and is signed in. */
async function acceptWithNewAccount(
  dependencies: Dependencies,
  submission: Submission,
  { invitation, beginAudit, fetch }: InvitationRequest,
): Promise<Response> {
  const { tenantId, ip, form } = submission
  const context = await readPageContext(dependencies, submission)
  const account = await readNewAdministrator(form, bootData(context))
  await createAdministrator(dependencies, { tenantId, ip, ...account, invitation, audit: beginAudit() })
  return signInInProcess(dependencies, submission, fetch, { ...account, to: CONSOLE, context })
}

/** Checked as the page of a registration checks it; a problem is said at its field. */
async function readNewAdministrator(
  fields: URLSearchParams,
  boot: BootData,
): Promise<{ identifier: Identifier; password: string }> {
  const accepted = identifiersWithPassword(boot.experience)
  // The page has no such form.
  if (accepted.length === 0) return refuseWith('user.sign_in_method_not_enabled')
  const form = Object.fromEntries(fields)
  const read = await readIdentifier({ form, boot, accepted, purpose: 'new' })
  if (read.kind === 'problem') throw new FieldProblem('identifier', read.message)
  const problems = { ...newPasswordProblems(form, boot), ...registerTermsProblems(form, boot) }
  for (const [field, problem] of Object.entries(problems)) throw new FieldProblem(field, problem)
  return { identifier: read.identifier, password: form.newPassword ?? '' }
}

/** The account that is signed in gets the role. */
async function acceptWithSession(
  dependencies: Dependencies,
  submission: Submission,
  request: InvitationRequest,
): Promise<Response> {
  const { tenantId, form } = submission
  const signedIn = await findSignedIn(dependencies, submission)
  if (!signedIn) return beginSignIn(dependencies, submission, { to: pageOf(request) })
  const { user } = signedIn
  // Another tab has signed in another account since the page named one.
  const named = form.get('account')
  if (named !== null && named !== user.id) return redirectTo(pageOf(request), 303)
  const audit = request.beginAudit()
  audit.add({ userId: user.id })
  await acceptInvitation(dependencies, { tenantId, invitation: request.invitation, user, audit })
  return redirectTo(CONSOLE, 303)
}

const pageOf = ({ token }: InvitationRequest) =>
  `${INVITATION_PATH}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`
