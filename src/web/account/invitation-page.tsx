import { Invitation } from '../../../client/account/invitation.tsx'
import { type OpenInvitation, readInvitation } from '../../application/access/accept-invitation.ts'
import { INVITATION_PARAM } from '../../application/access/invite.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import { selectInvitationIdentifiers } from '../../domain/access/administrator-account.ts'
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
  const invitation = await readInvitation(dependencies, { tenantId, token, ip, background })
  return renderInvitationPage(dependencies, visit, { token, invitation })
}

type InvitationView = { token: string; invitation: OpenInvitation; problem?: FormProblem; typed?: string }

/** Renders the invitation page. Shows the problem if a form was rejected. */
export async function renderInvitationPage(
  dependencies: Dependencies,
  visit: Visit,
  { token, invitation, problem, typed }: InvitationView,
): Promise<Response> {
  const [signedIn, experience] = await Promise.all([
    findSignedInUser(dependencies, visit),
    dependencies.experience.get(visit.tenantId),
  ])
  const accepted = selectInvitationIdentifiers(experience)
  const user = signedIn?.user
  const body = (
    <Invitation
      invitation={{ name: INVITATION_PARAM, value: token }}
      inviter={invitation.inviter}
      expiresAt={invitation.expiresAt}
      signedIn={user ? { id: user.id, name: nameOf(user) } : null}
      accepted={accepted}
      typed={typed ?? (accepted.includes('email') ? (invitation.email ?? '') : '')}
    />
  )
  // The user is left out, because the page would otherwise link to the account centre, which the tenant may not have.
  const page = { title: 'invitation_title', user: null, isCard: true, body } as const
  const leadsTo = dedicatedConsoleOrigin(visit.tenantId, visit.url, dependencies.settings.hosting)
  return renderAccountPage(dependencies, visit, page, { problem, leadsTo })
}

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
