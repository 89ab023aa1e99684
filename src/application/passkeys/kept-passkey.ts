import { refuse } from '../../contract/errors.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import { RefusalError } from '../../contract/refused.ts'
import { refusePasskey } from '../../domain/passkeys/passkeys.ts'
import { readTogether } from '../../storage/batches.ts'
import { modelQuery } from '../../storage/interactions/oidc-models.ts'
import type { SingleUse } from '../../storage/interactions/single-use.ts'
import { existingPasskeysQuery, type NewPasskey, passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireStillProven } from '../sessions/recent-proof.ts'

/** After a batch that added nothing: the passkey, if the same batch has added it before its answer was lost. */
export async function keptPasskey(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  { credentialId, userId, createdAt }: NewPasskey,
  { use, condition }: { use?: SingleUse | undefined; condition: Parameters<typeof requireStillProven>[1] },
): Promise<Passkey> {
  // Of a signed-in user: nothing else ends meanwhile.
  if (!use) await requireStillProven({ db }, condition)
  const { own, existing, used } = await readTogether(db, {
    own: use ? [passkeysQuery(db, tenantId, userId)] : [],
    existing: existingPasskeysQuery(db, tenantId, [credentialId]),
    used: use ? [modelQuery(db, use.key)] : [],
  })
  const kept = own.find((passkey) => passkey.id === credentialId && passkey.createdAt === createdAt)
  if (kept) return kept
  if (existing.length > 0) throw new RefusalError(refuse('passkey.already_registered'))
  throw new RefusalError(used.length > 0 ? refusePasskey('challenge') : refuse('request.changed_meanwhile'))
}
