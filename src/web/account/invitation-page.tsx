import { Invitation } from '../../../client/account/invitation.tsx'
import { INVITATION_PARAM, invitationLinkOf } from '../../application/access/invitation-links.ts'
import { type OpenInvitation, readInvitation } from '../../application/access/read-invitation.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import { invitedRoleNames } from '../../domain/access/invitations.ts'
import { newAccountForm } from '../../domain/access/invited-account.ts'
import { dedicatedConsoleOrigin } from '../../domain/tenants/hosts.ts'
import { type BackgroundContext, runInBackground } from '../../storage/background.ts'
import type { FormProblem } from './problem.ts'
import { renderAccountPage } from './render.tsx'
import { openVisit, SignInRequired, type Visit } from './visit.ts'

/**
 * Shows an invitation without using up its link, because link scanners also open links
 * (spec/account-centre#invitations).
 */
export async function showInvitation(
  dependencies: Dependencies,
  visit: Visit & { context: BackgroundContext },
): Promise<Response> {
  const { tenantId, ip, context, url } = visit
  const token = url.searchParams.get(INVITATION_PARAM) ?? ''
  const background = (task: () => Promise<unknown>) => runInBackground(context, visit, task)
  const link = invitationLinkOf(url.pathname)
  const invitation = await readInvitation(dependencies, { tenantId, token, link, ip, background })
  return renderInvitationPage(dependencies, visit, { token, invitation })
}

type InvitationView = {
  token: string
  invitation: OpenInvitation
  problem?: FormProblem
  typed?: string
  /** True if a link that proves the address has just been sent. */
  isSent?: boolean
}

/** Renders the invitation page. Shows the problem if a form was rejected. */
export async function renderInvitationPage(
  dependencies: Dependencies,
  visit: Visit,
  { token, invitation, problem, typed = '', isSent = false }: InvitationView,
): Promise<Response> {
  const [signedIn, experience] = await Promise.all([
    findSignedInUser(dependencies, visit),
    dependencies.experience.get(visit.tenantId),
  ])
  const user = signedIn?.user
  const { kind, organization, email, proof, inviter, expiresAt, roleNames } = invitation
  const account = user && { id: user.id, name: nameOf(user) }
  const isOwn = user !== undefined && mayAccept(invitation, user)
  const body = (
    <Invitation
      invitation={{ name: INVITATION_PARAM, value: token }}
      kind={kind}
      organization={organization?.name ?? null}
      email={email}
      inviter={inviter}
      expiresAt={expiresAt}
      typed={typed}
      roles={invitedRoleNames(roleNames)}
      needsProof={proof === 'missing'}
      signedIn={isOwn && account ? account : null}
      otherAccount={organization && !isOwn && account ? account : null}
      newAccount={hasAccount(invitation) ? null : newAccountForm(experience, formFacts(invitation))}
    />
  )
  // The user is left out, because the page would otherwise link to the account centre, which the tenant may not have.
  const title = kind === 'administrator' ? 'invitation_title' : 'invitation_accept'
  const page = { title, signedIn: null, isCard: true, body } as const
  const leadsTo = dedicatedConsoleOrigin(visit.tenantId, visit.url, dependencies.settings.hosting)
  const flash = isSent ? { message: 'invitation_sent', values: { address: email ?? '' } } : null
  return renderAccountPage(dependencies, visit, page, { problem, leadsTo, flash })
}

export const formFacts = ({ email, proof }: OpenInvitation) => ({ email, isProven: proof === 'proven' })

/** Checks whether the address has an account. Only somebody who has proven the address learns this. */
const hasAccount = ({ accountId, proof }: OpenInvitation): boolean => proof === 'proven' && accountId !== null

/**
 * Checks whether the signed-in account may accept: it has the address, or the invitation has none. The address must be
 * verified, because anyone can enter an address (ADR-0184). The acceptance checks this again.
 */
export const mayAccept = (
  { email, accountId, proof }: OpenInvitation,
  { id, emailVerified }: AccountUser['user'],
): boolean => email === null || (accountId === id && (emailVerified || proof === 'impossible'))

const nameOf = ({ username, primaryEmail, primaryPhone, name, id }: AccountUser['user']): string =>
  username ?? primaryEmail ?? primaryPhone ?? name ?? id

export async function findSignedInUser(
  dependencies: Dependencies,
  visit: Visit,
): Promise<AccountUser | null> {
  const { readUser } = await openVisit(dependencies, visit)
  try {
    return await readUser()
  } catch (error) {
    if (error instanceof SignInRequired) return null
    throw error
  }
}
