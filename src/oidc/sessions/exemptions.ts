import type { Provider, Session } from 'oidc-provider'
import type { ValidityTimes } from '../../domain/sessions/revocation.ts'

/**
 * Keeps the exemption of sessions and grants that a revocation did not end, which have `exemptedAt` besides the time of
 * their sign-in (ADR-0141). The library stores only the fields that `IN_PAYLOAD` names; with this one added, the
 * exemption survives when a session gets a new id.
 */
export function storeExemptions({ Session: sessions, Grant: grants }: Provider): void {
  for (const model of [sessions, grants]) {
    const names: readonly string[] = Reflect.get(model, 'IN_PAYLOAD')
    Object.defineProperty(model, 'IN_PAYLOAD', { value: [...names, FIELD] })
  }
  // A new sign-in in the session, perhaps by another user, is judged by its own time.
  const { loginAccount } = sessions.prototype
  sessions.prototype.loginAccount = function signIn(details) {
    Reflect.deleteProperty(this, FIELD)
    loginAccount.call(this, details)
  }
}

/** Returns the times with which a revocation is compared, or undefined for a session without a sign-in. */
export function standingOfSession(session: Session | undefined): ValidityTimes | undefined {
  if (session?.loginTs === undefined) return undefined
  const exemptedAt: unknown = Reflect.get(session, FIELD)
  return { madeAt: session.loginTs, exemptedAt: typeof exemptedAt === 'number' ? exemptedAt : undefined }
}

const FIELD = 'exemptedAt'
