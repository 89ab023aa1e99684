import { z } from 'zod'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { openInvitationQuery, type StoredInvitation } from '../../storage/access/administrator-invitations.ts'
import { readTogether } from '../../storage/batches.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'
import { refundAttempts } from '../refund-attempts.ts'
import { invitationIds } from './invitation-link.ts'

type ReadDependencies = Pick<Dependencies, 'db' | 'now' | 'seals' | 'settings' | 'tenantSettings'>
type InvitationRequest = {
  tenantId: string
  token: string
  ip: string | undefined
  background(task: () => Promise<unknown>): void
}

/** An invitation that can be used now. */
export type OpenInvitation = StoredInvitation & { id: string }

/** Only we write these rows. */
const Stored = z.object({
  roleId: z.string(),
  email: z.string().nullable(),
  invitedBy: z.object({ userId: z.string(), at: z.number() }).nullable().default(null),
})

/** With the command that makes another one: who has the link of a terminal has the terminal. */
export const refuseInvitation = (): never =>
  refuseWith('user.invitation_invalid', { command: 'npm run admin -- invite' })

/**
 * Uses nothing. A token that is unknown, too old, used or of another tenant looks alike; each is counted before it is looked up, and given
 * back where it counts, as a code of a device is (spec/limits#rate-limits).
 */
export async function readInvitation(
  dependencies: ReadDependencies,
  { tenantId, token, ip, background }: InvitationRequest,
): Promise<OpenInvitation> {
  if (token === '') return refuseInvitation()
  const { db, settings, tenantSettings } = dependencies
  const { limits } = await tenantSettings.get(tenantId)
  const now = dependencies.now()
  const { consumed, found } = await readTogether(db, {
    consumed: consumeAttempts(db, tenantId, [{ limit: 'invitationTriesPerNetwork', ip }], {
      limits,
      environment: settings.environment,
      now,
    }),
    found: openInvitationQuery(db, tenantId, await invitationIds(dependencies, tenantId, token), now),
  })
  orRefuse(refusesAttempts(consumed, now))
  const [invitation] = found
  if (!invitation) return refuseInvitation()
  background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
  return { id: invitation.id, ...Stored.parse(invitation.payload) }
}
