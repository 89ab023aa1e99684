import type { Provider, Session } from 'oidc-provider'
import type { ValidityTimes } from '../../domain/sessions/revocation.ts'

/**
 * Preserves the exemption of sessions and grants that survived a revocation. They have `exemptedAt` in addition to the
 * time of their sign-in (ADR-0141). The library stores only the fields in `IN_PAYLOAD`. `exemptedAt` is added
 * to them, so that it survives a change of the session's id.
 */
export function storeExemptions({ Session: sessions, Grant: grants }: Provider): void {
  for (const model of [sessions, grants]) {
    const names: readonly string[] = Reflect.get(model, 'IN_PAYLOAD')
    Object.defineProperty(model, 'IN_PAYLOAD', { value: [...names, FIELD] })
  }
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
