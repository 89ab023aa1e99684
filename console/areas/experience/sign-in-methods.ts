import type { SignInMethod, SignUp } from '../../../src/contract/experience/experience.ts'
import type { IdentifierType } from '../../../src/contract/interactions/identifiers.ts'

/** Returns the initial sign-in method for a type of identifier. Codes can't be sent to a username. */
const defaultMethod = (identifier: IdentifierType): SignInMethod =>
  identifier === 'username'
    ? { identifier, password: true, verificationCode: false, isPasswordPrimary: true }
    : { identifier, password: false, verificationCode: true, isPasswordPrimary: false }

/** Adds or removes a type of identifier. The order of the others doesn't change. */
export function toggleIdentifier(
  methods: readonly SignInMethod[],
  identifier: IdentifierType,
  isOffered: boolean,
): SignInMethod[] {
  const others = methods.filter((method) => method.identifier !== identifier)
  return isOffered ? [...others, defaultMethod(identifier)] : others
}

/** Changes one method. If users aren't asked for a password at all, the password can't be the first step. */
export function updateMethod(
  methods: readonly SignInMethod[],
  identifier: IdentifierType,
  changes: Partial<Omit<SignInMethod, 'identifier'>>,
): SignInMethod[] {
  return methods.map((method) => {
    if (method.identifier !== identifier) return method
    const next = { ...method, ...changes }
    return { ...next, isPasswordPrimary: next.password && (next.isPasswordPrimary || !next.verificationCode) }
  })
}

/**
 * The presets for what identifies a new account. Usernames need a password, and email addresses and phone numbers are
 * verified (spec/experience#rules).
 */
export const signUpPresets = {
  username: { identifiers: ['username'], password: true, verify: false },
  email: { identifiers: ['email'], password: false, verify: true },
  phone: { identifiers: ['phone'], password: false, verify: true },
  emailOrPhone: { identifiers: ['email', 'phone'], password: false, verify: true },
  none: { identifiers: [], password: false, verify: false },
} as const satisfies Record<
  string,
  Readonly<Omit<SignUp, 'identifiers'>> & { identifiers: readonly string[] }
>
export type SignUpChoice = keyof typeof signUpPresets

/** Returns the preset that matches the identifiers, or null for a combination that only the API can set. */
export function findSignUpChoice({ identifiers }: Pick<SignUp, 'identifiers'>): SignUpChoice | null {
  const key = [...identifiers].sort().join()
  const match = Object.entries(signUpPresets).find(
    ([, signUp]) => [...signUp.identifiers].sort().join() === key,
  )
  return match ? (match[0] as SignUpChoice) : null
}

/** Returns the list with one entry moved up or down by one. */
export function moveItem<T>(list: readonly T[], from: number, by: -1 | 1): T[] {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(from + by, 0, one)
  return next
}
