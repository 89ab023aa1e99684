import { acceptInvitation } from '../../application/access/accept-invitation.ts'
import { INVITATION_PARAM, INVITATION_PATH } from '../../application/access/invite.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { beginSignIn } from './begin-sign-in.ts'
import type { AccountForm } from './form-post.ts'
import { whoIsSignedIn } from './invitation-page.tsx'
import type { GivenInvitation } from './make-administrator.ts'
import { CONSOLE, redirectTo } from './redirect.ts'

/** The account that is signed in gets the role (spec/account-centre#invitations). */
export async function takeRole(
  dependencies: Dependencies,
  asked: AccountForm,
  given: GivenInvitation,
): Promise<Response> {
  const { tenantId } = asked
  const signedIn = await whoIsSignedIn(dependencies, asked)
  if (!signedIn) return beginSignIn(dependencies, asked, { to: pageOf(given) })
  const { user } = signedIn
  // Another tab has signed in another account since the page named one.
  const named = asked.form.get('account')
  if (named !== null && named !== user.id) return redirectTo(pageOf(given), 303)
  const audit = given.audit()
  audit.add({ userId: user.id })
  await acceptInvitation(dependencies, { tenantId, invitation: given.invitation, user, audit })
  return redirectTo(CONSOLE, 303)
}

/** With another account than the one that is signed in, if there is one. */
export const signInFirst = (
  dependencies: Dependencies,
  asked: AccountForm,
  given: GivenInvitation,
): Promise<Response> =>
  beginSignIn(dependencies, asked, { to: pageOf(given), anew: given.invitation.email ?? '' })

const pageOf = ({ token }: GivenInvitation) =>
  `${INVITATION_PATH}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`
