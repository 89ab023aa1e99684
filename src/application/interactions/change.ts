import type { InteractionEvent, Profile } from '../../contract/interactions/identifiers.ts'
import { NETWORK_PROMPT, NETWORK_REFUSAL } from '../../contract/organisations/organizations.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { checkProfile, forbidsEvent } from '../../domain/experience/experience-rules.ts'
import { dropProfile, patchProfile, putProfile, switchEvent } from '../../domain/interactions/interaction.ts'
import { notAudited } from '../../storage/commit.ts'
import { concludeInteraction, isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type PasswordCheckDependencies,
  readRowAndCountPasswordAttempt,
  refuseNewPassword,
} from '../passwords/new-password.ts'
import type { InteractionCall } from './interaction-call.ts'

type ProfileDependencies = PasswordCheckDependencies & Pick<Dependencies, 'db' | 'now'>

/** Changes the event of an interaction for PUT /interaction/event (spec/interaction#event). */
export async function setInteractionEvent(call: InteractionCall, event: InteractionEvent): Promise<void> {
  const { open, audit } = call
  audit.begin(`Interaction.${event}.Update`, { event })
  const row = await open.row()
  throwIfRefused(forbidsEvent(await call.experience(), event))
  const before = await open.record(row)
  const after = throwIfRefused(switchEvent(before, event))
  if (after !== before) await open.save(after)
}

/** Replaces the profile for PUT /interaction/profile (spec/interaction#profile). */
export const replaceProfile = (
  dependencies: ProfileDependencies,
  call: InteractionCall,
  profile: Profile,
): Promise<void> => changeProfile(dependencies, call, profile, { key: 'Create', change: putProfile })

/** Merges fields into the profile, for PATCH /interaction/profile. */
export const completeProfile = (
  dependencies: ProfileDependencies,
  call: InteractionCall,
  profile: Profile,
): Promise<void> => changeProfile(dependencies, call, profile, { key: 'Update', change: patchProfile })

async function changeProfile(
  dependencies: ProfileDependencies,
  call: InteractionCall,
  profile: Profile,
  { key, change }: { key: 'Create' | 'Update'; change: typeof putProfile },
): Promise<void> {
  const { tenantId, open, audit } = call
  const { row, limitRefusal } = await readRowAndCountPasswordAttempt(dependencies, call, profile.password)
  const before = await open.record(row)
  const entry = audit.begin(`Interaction.${before.event}.Profile.${key}`, { profile })
  throwIfRefused(checkProfile(await call.experience(), before.event, profile))
  throwIfRefused(limitRefusal)
  if (profile.password !== undefined)
    await refuseNewPassword(dependencies, { tenantId, password: profile.password, audit: entry })
  await open.save(change(before, profile))
}

/** Removes the profile for DELETE /interaction/profile. */
export async function removeProfile({ open, audit }: InteractionCall): Promise<void> {
  const before = await open.record(await open.row())
  audit.begin(`Interaction.${before.event}.Profile.Delete`)
  await open.save(dropProfile(before))
}

/**
 * Cancels an interaction, for DELETE /interaction. Returns the URL at which the browser continues with the error
 * (spec/interaction#cancel).
 */
export async function cancelInteraction(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { open, tenantId }: InteractionCall,
): Promise<string> {
  const row = await open.row()
  const concluded = await concludeInteraction(db, {
    tenantId,
    uid: open.uid,
    result:
      row.prompt.name === NETWORK_PROMPT
        ? { error: 'access_denied', error_description: NETWORK_REFUSAL }
        : { error: 'oidc.aborted', error_description: 'the user cancelled' },
    condition: isInteractionOpen(tenantId, open.uid, row.reset, now()),
    statements: {},
    audit: notAudited('the provider records the end of an interaction'),
  })
  if (!concluded) refuseWith('session.verification_session_not_found')
  await open.conclude('declined')
  return row.returnTo
}
