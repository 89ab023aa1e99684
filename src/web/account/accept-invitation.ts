import { readIdentifier } from '../../../client/journeys/identifiers.ts'
import { validateNewPassword } from '../../../client/journeys/new-password-problems.ts'
import { validateRegisterTerms } from '../../../client/journeys/terms-problems.ts'
import {
  acceptInvitation,
  createInvitedAccount,
  sendProvingLink,
} from '../../application/access/accept-invitation.ts'
import {
  INVITATION_PARAM,
  invitationLinkOf,
  invitationUrl,
} from '../../application/access/invitation-links.ts'
import { type OpenInvitation, readInvitation } from '../../application/access/read-invitation.ts'
import type { AuditEntry } from '../../application/audit.ts'
import type { MessageRequest } from '../../application/connectors/send.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { INTENT_FIELD } from '../../contract/interactions/interaction.ts'
import { ACCOUNT_APP_ID, SIGNED_IN_PAGE } from '../../contract/product.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import { type NewAccountForm, newAccountForm } from '../../domain/access/invited-account.ts'
import type { InProcessFetch } from '../in-process.ts'
import { createBootData } from '../pages/boot-data.ts'
import { readPageContext } from '../pages/page-context.ts'
import { redirectTo } from '../redirect.ts'
import { findSignedInUser, formFacts, mayAccept, renderInvitationPage } from './invitation-page.tsx'
import { FieldProblem, findFormProblem } from './problem.ts'
import { beginSignIn, signInInProcess } from './sign-in.ts'
import { createSubmissionContext, type Submission } from './submission.ts'

/** The page to which administrators are redirected after accepting an invitation. */
const CONSOLE_PATH = '/console'

type InvitationRequest = {
  token: string
  invitation: OpenInvitation
  message: MessageRequest
  beginAudit(action: 'Accept' | 'Send'): AuditEntry
  background(task: () => Promise<unknown>): void
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
  const { trail, keepAudit, background, message } = createSubmissionContext(dependencies, submission)
  const link = invitationLinkOf(submission.url.pathname)
  const read = () => readInvitation(dependencies, { tenantId, token, link, ip, background })
  const invitation = await read()
  const { id: invitationId, roleIds, organization } = invitation
  const auditDetails = {
    applicationId: ACCOUNT_APP_ID,
    invitationId,
    roleIds,
    ...(organization && { organizationId: organization.id }),
  }
  const beginAudit = (action: string) => trail.begin(`Account.Invitation.${action}`, auditDetails)
  try {
    const request = { token, invitation, message, beginAudit, background, fetch }
    const response = await answer(dependencies, submission, request)
    keepAudit()
    return response
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    // If the invitation changed in the meantime, reading it again throws the reason.
    if (error instanceof RefusalError && error.refusal.code === 'user.invitation_invalid') {
      await read()
      throw error
    }
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

async function answer(
  dependencies: Dependencies,
  submission: Submission,
  request: InvitationRequest,
): Promise<Response> {
  switch (submission.form.get(INTENT_FIELD)) {
    case 'create':
      return acceptWithNewAccount(dependencies, submission, request)
    case 'accept':
      return acceptWithSession(dependencies, submission, request)
    case 'send':
      return sendLink(dependencies, submission, request)
    case 'continue':
      // The signed-in account does not join, and the invitation remains open.
      return redirectTo(await landingOf(dependencies, submission, request.invitation), 303)
    case 'signIn': {
      // Redirects to the sign-in page, where the user can also choose an account other than the signed-in one.
      const accountHint = request.invitation.email ?? ''
      return beginSignIn(dependencies, submission, { to: pageOf(request), accountHint })
    }
    default:
      return refuseWith('guard.invalid_input')
  }
}

/** Creates an account with the role and signs the user in to it. */
async function acceptWithNewAccount(
  dependencies: Dependencies,
  submission: Submission,
  { invitation, beginAudit, background, fetch }: InvitationRequest,
): Promise<Response> {
  const { tenantId, ip, form, request } = submission
  const context = await readPageContext(dependencies, submission)
  const boot = createBootData(context)
  // The page has no form for creating an account if the tenant accepts no identifiers.
  const fields = newAccountForm(boot.experience, formFacts(invitation))
  if (!fields) return refuseWith('user.sign_in_method_not_enabled')
  const account = await readNewAccount(form, boot, fields)
  const userAgent = request.headers.get('user-agent') ?? undefined
  const audit = beginAudit('Accept')
  await createInvitedAccount(dependencies, {
    tenantId,
    ip,
    invitation,
    audit,
    userAgent,
    background,
    ...account,
  })
  const to = await landingOf(dependencies, submission, invitation)
  const { identifier, password } = account
  return password === undefined
    ? beginSignIn(dependencies, submission, { to, accountHint: identifier.value })
    : signInInProcess(dependencies, submission, fetch, { identifier, password, to, context })
}

/**
 * Reads the form for a new account and validates it with the rules of the registration page. Problems are shown next to
 * their fields.
 */
async function readNewAccount(
  fields: URLSearchParams,
  boot: BootData,
  { identifiers, email, hasPassword }: NewAccountForm,
): Promise<{ identifier: Identifier; password: string | undefined }> {
  // An address is never read from the form if the invitation has one that the account signs in with.
  const form = { ...Object.fromEntries(fields), ...(email !== null && { identifier: email }) }
  const result = await readIdentifier({ form, boot, accepted: identifiers, purpose: 'new' })
  if (result.kind === 'problem') throw new FieldProblem('identifier', result.message)
  const problems = {
    ...(hasPassword && validateNewPassword(form, boot)),
    ...validateRegisterTerms(form, boot),
  }
  for (const [field, problem] of Object.entries(problems)) throw new FieldProblem(field, problem)
  const password = hasPassword ? (fields.get('newPassword') ?? '') : undefined
  return { identifier: result.identifier, password }
}

/** Gives the roles to the signed-in account. */
async function acceptWithSession(
  dependencies: Dependencies,
  submission: Submission,
  request: InvitationRequest,
): Promise<Response> {
  const { tenantId, form } = submission
  const signedIn = await findSignedInUser(dependencies, submission)
  if (!signedIn) return beginSignIn(dependencies, submission, { to: pageOf(request) })
  const { user } = signedIn
  // Another user has signed in since the page was shown, for example in another tab.
  const accountId = form.get('account')
  if (accountId !== null && accountId !== user.id) return redirectTo(pageOf(request), 303)
  const { invitation, background } = request
  const audit = request.beginAudit('Accept')
  audit.add({ userId: user.id })
  if (!mayAccept(invitation, user)) return refuseWith('user.invitation_other_account')
  await acceptInvitation(dependencies, { tenantId, invitation, user, audit, background })
  return redirectTo(await landingOf(dependencies, submission, invitation), 303)
}

/** Sends a link to the address, and shows the page again. */
async function sendLink(
  dependencies: Dependencies,
  submission: Submission,
  { token, invitation, message, beginAudit }: InvitationRequest,
): Promise<Response> {
  const { tenantId, ip } = submission
  const audit = beginAudit('Send')
  await sendProvingLink(dependencies, { tenantId, ip, invitation, message, audit })
  return renderInvitationPage(dependencies, submission, { token, invitation, isSent: true })
}

/** Returns the page to which the browser is redirected after the acceptance. */
async function landingOf(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  { tenantId }: Pick<Submission, 'tenantId'>,
  { kind }: OpenInvitation,
): Promise<string> {
  if (kind === 'administrator') return CONSOLE_PATH
  const { accountCentre } = await tenantSettings.get(tenantId)
  return accountCentre.enabled ? '/account' : SIGNED_IN_PAGE
}

/** Returns the page of the invitation on this origin. */
const pageOf = ({ token, invitation }: InvitationRequest) =>
  invitationUrl('', token, invitation.organization ? 'organization' : 'tenant')
