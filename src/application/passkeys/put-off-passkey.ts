import { commitChange } from '../../storage/commit.ts'
import { putOffOffer } from '../../storage/passkeys/passkey-offers.ts'
import type { Dependencies } from '../dependencies.ts'
import { finishedSignIn } from '../interactions/finished-sign-in.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'

/** POST /interaction/passkeys/put-off */
export async function putOffPasskey(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  call: InteractionCall,
): Promise<void> {
  const audit = call.audit.begin('Interaction.Passkey.PutOff')
  const { owner, isFinished } = await finishedSignIn(dependencies, call)
  const { tenantId, user } = owner
  await commitChange(dependencies.db, {
    tenantId,
    condition: isFinished,
    audit: audit.success({ userId: user.id }),
    statements: {
      offer: putOffOffer(dependencies.db, { tenantId, userId: user.id }, isFinished, dependencies.now()),
    },
  })
}
