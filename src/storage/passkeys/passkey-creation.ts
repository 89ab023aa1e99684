import type { Database } from '../database.ts'
import { type ModelKey, modelQuery } from '../interactions/oidc-models.ts'
import { userOfLogin } from '../interactions/oidc-reads.ts'
import { requiredLevelQueries } from '../sessions/step-up.ts'
import { passkeysQuery } from './passkeys.ts'

/** Returns the key of the row that marks the one passkey which a sign-in may create. */
export const createdPasskeyKey = ({ tenantId, id }: ModelKey): ModelKey => ({
  tenantId,
  modelName: 'PasskeyOfInteraction',
  id,
})

/** Selects what decides whether the user of a finished sign-in may create a passkey (spec/accounts#passkey-offer). */
export function passkeyCreationQueries(db: Database, key: ModelKey, clientId: string) {
  const { tenantId } = key
  return {
    ...requiredLevelQueries(db, tenantId, { userId: userOfLogin(key), clientId }),
    passkeys: passkeysQuery(db, tenantId, userOfLogin(key)),
    used: modelQuery(db, createdPasskeyKey(key)),
  }
}
