import { createAdministrator, type OpenInvitation } from '../../application/access/accept-invitation.ts'
import type { AuditEntry } from '../../application/audit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { bootData } from '../pages/boot-data.ts'
import { readPageContext } from '../pages/page-context.ts'
import type { AccountForm } from './form-post.ts'
import { newAdministratorIn } from './new-administrator.ts'
import { CONSOLE } from './redirect.ts'
import { type CallInside, signInInside } from './sign-in-inside.ts'

export type GivenInvitation = {
  token: string
  invitation: OpenInvitation
  audit(): AuditEntry
  inside: CallInside
}

/** A new account with the role, and signed in (spec/account-centre#invitations). */
export async function makeAdministrator(
  dependencies: Dependencies,
  asked: AccountForm,
  { invitation, audit: begin, inside }: GivenInvitation,
): Promise<Response> {
  const { tenantId, ip, form } = asked
  const context = await readPageContext(dependencies, asked)
  const typed = await newAdministratorIn(form, bootData(context))
  await createAdministrator(dependencies, { tenantId, ip, ...typed, invitation, audit: begin() })
  return signInInside(dependencies, asked, inside, { ...typed, to: CONSOLE, context })
}
