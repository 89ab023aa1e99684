import type { SignInExperience, SignInMethod, SignUp } from '../../../src/contract/experience/experience.ts'
import type { IdentifierType } from '../../../src/contract/interactions/identifiers.ts'
import { toggleIdentifier } from './sign-in-methods.ts'

type Methods = Pick<SignInExperience, 'signUp' | 'signIn'>

/**
 * Returns the settings after a change of what new users sign up with. New users must also be able to sign in, so the
 * sign-in methods get what they lack (spec/experience#rules). No method is removed, because users who already have an
 * account may need it.
 */
export function withSignUp({ signIn }: Methods, signUp: SignUp): Methods {
  const needsCodes = signUp.verify && !signUp.password
  const all = signUp.identifiers.reduce<readonly SignInMethod[]>(
    (methods, type) =>
      methods.some(({ identifier }) => identifier === type) ? methods : toggleIdentifier(methods, type, true),
    signIn.methods,
  )
  return {
    signUp,
    signIn: {
      methods: all.map((method) => ({
        ...method,
        ...(signUp.password && !method.password && { password: true, isPasswordPrimary: true }),
        ...(needsCodes && method.identifier !== 'username' && { verificationCode: true }),
      })),
    },
  }
}

/** A setting that a choice also changed. The page names it beside the choice. */
export type ImpliedChange =
  | 'verifyOn'
  | 'verifyOff'
  | 'passwordOn'
  | 'passwordOff'
  | 'methodAdded'
  | 'methodPassword'
  | 'methodCode'

/** Lists what a change of the settings in `changed` also changed, in the order of the page's cards. */
export function listImpliedChanges(before: Methods, after: Methods, changed: keyof SignUp): ImpliedChange[] {
  const methodOf = (identifier: IdentifierType) =>
    before.signIn.methods.find((method) => method.identifier === identifier)
  const gains = (key: 'password' | 'verificationCode') =>
    after.signIn.methods.some((method) => method[key] && methodOf(method.identifier)?.[key] === false)
  const toggled = (key: 'verify' | 'password') =>
    changed !== key && before.signUp[key] !== after.signUp[key]
      ? [`${key}${after.signUp[key] ? 'On' : 'Off'}` as const]
      : []
  return [
    ...(after.signIn.methods.some(({ identifier }) => !methodOf(identifier)) ? ['methodAdded' as const] : []),
    ...(gains('password') ? ['methodPassword' as const] : []),
    ...(gains('verificationCode') ? ['methodCode' as const] : []),
    ...toggled('password'),
    ...toggled('verify'),
  ]
}

/**
 * Returns which settings cannot be changed, because the server would reject the other value: usernames need a
 * password, and addresses need a code. A value that the server would reject can always be corrected.
 */
export const findFixedSettings = ({ identifiers, password, verify }: SignUp) => ({
  password: password && identifiers.includes('username'),
  verify: verify && identifiers.some((type) => type !== 'username'),
})
