import type { Passkey, PasskeyAttestation } from '../../contract/passkeys/passkeys.ts'
import { commitChange, commitRepeatable } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import type { SingleUse } from '../../storage/interactions/single-use.ts'
import { insertPasskeyIf, isPasskey, mayAddPasskey } from '../../storage/passkeys/passkeys.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { passkeyAdded, sendTold, type ToldOccasion } from '../hooks/account-events.ts'
import { keptPasskey } from './kept-passkey.ts'
import type { PasskeyOwner } from './passkey-creation.ts'
import { verifiedPasskey } from './verify-new-passkey.ts'

/** A passkey for a user who has just been proved (spec/accounts#passkey-creation). */
type CreationDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'tenantSettings' | 'experience' | 'deliveries'
>

export type PasskeyAddition = {
  attestation: PasskeyAttestation
  /** Of the page that asked for it. */
  origin: string
  /** That the user was proved, in the batch. */
  condition: Condition
  /** Where one proof is good for one passkey. */
  use?: SingleUse
  audit: AuditEntry
  /** Where an application calls for its user. */
  applicationId?: string | undefined
  message: ToldOccasion['message']
  background(task: () => Promise<unknown>): void
}

/** Keeps what the browser has created. The challenge is not used up: the same passkey is kept once. */
export async function addPasskey(
  dependencies: CreationDependencies,
  owner: PasskeyOwner,
  { attestation, origin, audit, applicationId, message, background, use, ...addition }: PasskeyAddition,
): Promise<Passkey> {
  const { db, now } = dependencies
  const { tenantId, user } = owner
  const row = await verifiedPasskey(dependencies, owner, { attestation, origin })
  const condition = use ? allOf(addition.condition, use.condition) : addition.condition
  const userId = user.id
  const { credentialId: id, userId: _userId, publicKey: _publicKey, counter: _counter, ...facts } = row
  const entry = audit.success({ passkeyId: id })
  const occasion = { tenantId, userId, applicationId, message, entry, now: now() }
  // Only with its single use is it known whose row there is after a repetition.
  const commit = use ? commitRepeatable : commitChange
  const { added, outboxIds } = await commit(db, {
    tenantId,
    condition: allOf(mayAddPasskey(tenantId, row), condition),
    audit: entry,
    outbox: passkeyAdded({ ...facts, id, lastUsedAt: null }, occasion),
    statements: {
      added: insertPasskeyIf(db, tenantId, condition, row),
      use: use?.mark(allOf(use.condition, isPasskey(tenantId, { userId, id }))),
    },
  })
  const passkey = added[0] ?? (await keptPasskey(dependencies, tenantId, row, { use, condition }))
  sendTold(dependencies, { tenantId, userId, outboxIds, background })
  return passkey
}
