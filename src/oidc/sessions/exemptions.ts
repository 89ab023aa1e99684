import type { Provider, Session } from 'oidc-provider'
import type { ValidityTimes } from '../../domain/sessions/revocation.ts'

/**
 * Preserves the exemption of sessions and grants that a revocation spared. They have `exemptedAt` in addition to the
 * time of their sign-in (ADR-0141). The library stores only the fields that `IN_PAYLOAD` names, so `exemptedAt` is
 * added there to survive a change of session id.
 */
export function storeExemptions({ Session: sessions, Grant: grants }: Provider): void {
  for (const model of [sessions, grants]) {
    const names: readonly string[] = Reflect.get(model, 'IN_PAYLOAD')
    Object.defineProperty(model, 'IN_PAYLOAD', { value: [...names, FIELD] })
  }
  // A new sign-in in the session, perhaps by another user, ends the exemption.
  const { loginAccount } = sessions.prototype
  sessions.prototype.loginAccount = function signIn(details) {
    Reflect.deleteProperty(this, FIELD)
    loginAccount.call(this, details)
  }
}

/** Returns the times that are compared with a revocation, or undefined for a session without a sign-in. */
export function sessionValidityTimes(session: Session | undefined): ValidityTimes | undefined {
  if (session?.loginTs === undefined) return undefined
  const exemptedAt: unknown = Reflect.get(session, FIELD)
  return { madeAt: session.loginTs, exemptedAt: typeof exemptedAt === 'number' ? exemptedAt : undefined }
}

const FIELD = 'exemptedAt'
