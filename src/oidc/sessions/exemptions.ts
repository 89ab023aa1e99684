import type { Provider, Session } from 'oidc-provider'
import type { ValidityTimes } from '../../domain/sessions/revocation.ts'
import { storeField } from '../persistence/stored-field.ts'

/**
 * Preserves the exemption of sessions and grants that survived a revocation. They have `exemptedAt` in addition to the
 * time of their sign-in (ADR-0141).
 */
export function storeExemptions({ Session: sessions, Grant: grants }: Provider): void {
  for (const model of [sessions, grants]) storeField(model, FIELD)
  // A new sign-in in the session ends the exemption. The user may be a different one.
  const { loginAccount } = sessions.prototype
  sessions.prototype.loginAccount = function signIn(details) {
    Reflect.deleteProperty(this, FIELD)
    loginAccount.call(this, details)
  }
}

/** Returns the times that are compared with the time of a revocation, or undefined for a session without a sign-in. */
export function sessionValidityTimes(session: Session | undefined): ValidityTimes | undefined {
  if (session?.loginTs === undefined) return undefined
  const exemptedAt: unknown = Reflect.get(session, FIELD)
  return { madeAt: session.loginTs, exemptedAt: typeof exemptedAt === 'number' ? exemptedAt : undefined }
}

const FIELD = 'exemptedAt'
