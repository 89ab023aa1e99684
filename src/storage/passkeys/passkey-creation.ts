import type { Database } from '../database.ts'
import { type ModelKey, modelQuery } from '../interactions/oidc-models.ts'
import { loginUserId } from '../interactions/oidc-reads.ts'
import { requiredLevelQueries } from '../sessions/step-up.ts'
import { passkeysQuery } from './passkeys.ts'

/**
 * Returns the key of the row that records that a sign-in has already created a passkey. A sign-in may create only one.
 */
export const passkeyCreationKey = ({ tenantId, id }: ModelKey): ModelKey => ({
  tenantId,
  modelName: 'PasskeyOfInteraction',
  id,
})

/**
 * Selects the data that decides whether the user may create a passkey after a sign-in (spec/accounts#passkey-offer).
 */
export function passkeyCreationQueries(db: Database, key: ModelKey, clientId: string) {
  const { tenantId } = key
  return {
    ...requiredLevelQueries(db, tenantId, { userId: loginUserId(key), clientId }),
    passkeys: passkeysQuery(db, tenantId, loginUserId(key)),
    used: modelQuery(db, passkeyCreationKey(key)),
  }
}
