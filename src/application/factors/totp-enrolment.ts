import type { FactorOwner } from '../../storage/factors/factors.ts'
import type { Label } from '../../storage/seal.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { nameOf, newInvitation, type TotpInvitation } from './enrol-factor.ts'

/**
 * A secret that a signed-in user has been shown and has not proved yet: it goes with the answer, sealed for its user, and comes back
 * with a code. Until then nothing is written.
 */
export type TotpEnrolment = TotpInvitation & { enrolment: string }

/** As long as a recent verification, which it needs as well. */
const ENROLMENT_MS = 600_000

type Sealed = { secret: string; until: number }

/** With `before` the secret is the one that was shown, as long as that counts. */
export async function inviteToTotp(
  dependencies: Pick<Dependencies, 'now' | 'seals' | 'experience'>,
  { tenantId, user, host }: { tenantId: string; user: UserRow; host: string },
  before?: string,
): Promise<TotpEnrolment> {
  const { now, seals, experience } = dependencies
  const owner = { tenantId, userId: user.id }
  const known = before === undefined ? null : await openEnrolment(dependencies, owner, before)
  const listing = { host, account: nameOf(user) }
  const invitation = newInvitation(await experience.get(tenantId), listing, known ?? undefined)
  if (before !== undefined && known !== null) return { ...invitation, enrolment: before }
  const sealed: Sealed = { secret: invitation.secret, until: now() + ENROLMENT_MS }
  return { ...invitation, enrolment: await seals.seal(labelOf(owner), sealed) }
}

/** The secret; null for what is too old or another user's. */
export async function openEnrolment(
  { now, seals }: Pick<Dependencies, 'now' | 'seals'>,
  owner: FactorOwner,
  enrolment: string,
): Promise<string | null> {
  // Sealed here alone under this label, so the type is proven.
  const opened = (await seals.open(labelOf(owner), enrolment)) as Sealed | null
  return opened && opened.until >= now() ? opened.secret : null
}

const labelOf = ({ tenantId, userId }: FactorOwner): Label => `totp-enrolment/${tenantId}/${userId}`
