import { Invitation } from '../../../client/account/invitation.tsx'
import { type OpenInvitation, readInvitation } from '../../application/access/accept-invitation.ts'
import { INVITATION_PARAM } from '../../application/access/invite.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { namesWithPassword } from '../../domain/access/administrator-account.ts'
import { ownConsoleOrigin } from '../../domain/tenants/hosts.ts'
import { type AfterAnswer, afterAnswer } from '../../storage/background.ts'
import { drawAccountPage, type Problem } from './draw-page.ts'
import { type AskedAccount, openVisit, type Post, SignInNeeded } from './visit.ts'

/** Uses nothing up: programs that check links open them (spec/account-centre#invitations). */
export async function showInvitation(
  dependencies: Dependencies,
  asked: AskedAccount & { context: AfterAnswer },
): Promise<Response> {
  const { tenantId, ip, context, url } = asked
  const token = url.searchParams.get(INVITATION_PARAM) ?? ''
  const background = (task: () => Promise<unknown>) => afterAnswer(context, asked, task)
  const invitation = await readInvitation(dependencies, { tenantId, token, ip, background })
  return invitationPage(dependencies, asked, { token, invitation })
}

type Shown = { token: string; invitation: OpenInvitation; problem?: Problem; typed?: string }

/** Again with the problem, after a form. */
export async function invitationPage(
  dependencies: Dependencies,
  asked: AskedAccount,
  { token, invitation, problem, typed }: Shown,
): Promise<Response> {
  const [signedIn, experience] = await Promise.all([
    whoIsSignedIn(dependencies, asked),
    dependencies.experience.get(asked.tenantId),
  ])
  const accepted = namesWithPassword(experience)
  const user = signedIn?.user
  const body = (
    <Invitation
      invitation={{ name: INVITATION_PARAM, value: token }}
      signedIn={user ? { id: user.id, name: nameOf(user) } : null}
      accepted={accepted}
      typed={typed ?? (accepted.includes('email') ? (invitation.email ?? '') : '')}
      problem={problem ?? null}
    />
  )
  // Not as a page of the account: the tenant may have no others.
  const shown = { title: 'invitation_title', user: null, body } as const
  const leadsTo = ownConsoleOrigin(asked.tenantId, asked.url, dependencies.settings.hosting)
  return drawAccountPage(dependencies, asked, shown, { problem: problem ?? null, said: null, leadsTo })
}

type User = Post['signedIn']['user']

const nameOf = ({ username, primaryEmail, primaryPhone, name, id }: User): string =>
  username ?? primaryEmail ?? primaryPhone ?? name ?? id

export async function whoIsSignedIn(
  dependencies: Dependencies,
  asked: AskedAccount,
): Promise<Post['signedIn'] | null> {
  const { read } = await openVisit(dependencies, asked)
  try {
    return (await read(() => ({}))).signedIn
  } catch (error) {
    if (error instanceof SignInNeeded) return null
    throw error
  }
}
