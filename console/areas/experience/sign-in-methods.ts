import type { SignInMethod, SignUp } from '../../../src/contract/experience/experience.ts'
import type { IdentifierType } from '../../../src/contract/interactions/identifiers.ts'

/** What a sign-in by a kind of identifier begins with: a username has no address for a code. */
const defaultMethod = (identifier: IdentifierType): SignInMethod =>
  identifier === 'username'
    ? { identifier, password: true, verificationCode: false, isPasswordPrimary: true }
    : { identifier, password: false, verificationCode: true, isPasswordPrimary: false }

/** The methods with one more or one less kind of identifier; the order of the others is kept. */
export function toggleIdentifier(
  methods: readonly SignInMethod[],
  identifier: IdentifierType,
  isOffered: boolean,
): SignInMethod[] {
  const others = methods.filter((method) => method.identifier !== identifier)
  return isOffered ? [...others, defaultMethod(identifier)] : others
}

/** A change of one method. A password that is not asked for cannot be the first thing that is. */
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

/** What a new account is identified by. Names need a password, addresses are verified (spec/experience#rules). */
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

/** Null for a combination that only the API makes. */
export function findSignUpChoice({ identifiers }: Pick<SignUp, 'identifiers'>): SignUpChoice | null {
  const key = [...identifiers].sort().join()
  const match = Object.entries(signUpPresets).find(
    ([, signUp]) => [...signUp.identifiers].sort().join() === key,
  )
  return match ? (match[0] as SignUpChoice) : null
}

/** A list with one entry moved by one place. */
export function moveItem<T>(list: readonly T[], from: number, by: -1 | 1): T[] {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(from + by, 0, one)
  return next
}
