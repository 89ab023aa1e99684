/** The rules for the settings of the sign-in experience (spec/experience#rules). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { SignInExperience, SignUp } from '../../contract/experience/experience.ts'
import type { IdentifierType } from '../../contract/interactions/identifiers.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import { collectPictures, findPictureProblem } from './pictures.ts'

export type ExperiencePatch = Partial<Omit<SignInExperience, 'id'>>

export type InstalledConnectors = {
  /** The message channels that have a connector. */
  email: boolean
  phone: boolean
  /** The targets of all social connectors. */
  targets: readonly string[]
}

export type SettingsFacts = {
  connectors: InstalledConnectors
  /** The tags of the built-in languages and of those that the operator added. */
  languages: readonly string[]
}

/** Checks a patch. Returns the patch to store, or an error. `stored` is the row that the patch changes. */
export function checkExperiencePatch(
  patch: ExperiencePatch,
  stored: Pick<SignInExperience, 'signUp'>,
  { connectors, languages }: SettingsFacts,
): ExperiencePatch | Refusal {
  const { branding, layout, languageInfo, signUp, signIn, socialSignInConnectorTargets: targets } = patch
  const problem =
    (languageInfo && languageProblem(languageInfo, languages)) ??
    (signUp && signUpProblem(signUp, connectors)) ??
    (signIn && signInProblem(signIn, signUp ?? stored.signUp, connectors))
  return (
    problem ??
    (targets && targetsProblem(targets, connectors)) ??
    findPictureProblem(collectPictures({ branding, layout })) ??
    patch
  )
}

function targetsProblem(targets: readonly string[], connectors: InstalledConnectors): Refusal | null {
  const issues = targets.flatMap((target, index) =>
    connectors.targets.includes(target)
      ? []
      : [
          {
            path: ['socialSignInConnectorTargets', index],
            message: `is a target that no connector has: ${target}`,
          },
        ],
  )
  return issues.length > 0 ? unprocessableInput(issues) : null
}

function languageProblem(
  { fallbackLanguage }: SignInExperience['languageInfo'],
  languages: readonly string[],
): Refusal | null {
  return languages.includes(fallbackLanguage)
    ? null
    : refuse('sign_in_experiences.unsupported_default_language', { language: fallbackLanguage })
}

function signUpProblem(
  { identifiers, password, verify }: SignUp,
  connectors: InstalledConnectors,
): Refusal | null {
  for (const identifier of identifiers) {
    if (identifier === 'username') {
      if (!password) return refuse('sign_in_experiences.username_requires_password')
      continue
    }
    const missing = connectorProblem(identifier, connectors)
    if (missing) return missing
    if (!verify) return refuse('sign_in_experiences.passwordless_requires_verify')
  }
  return null
}

function signInProblem(
  { methods }: SignInExperience['signIn'],
  signUp: SignUp,
  connectors: InstalledConnectors,
): Refusal | null {
  for (const { identifier, verificationCode } of methods) {
    const missing = verificationCode && identifier !== 'username' && connectorProblem(identifier, connectors)
    if (missing) return missing
  }
  if (methods.some(({ password, verificationCode }) => !password && !verificationCode)) {
    return refuse('sign_in_experiences.at_least_one_authentication_factor')
  }
  const signInTypes = new Set<IdentifierType>(methods.map(({ identifier }) => identifier))
  if (signUp.identifiers.some((identifier) => !signInTypes.has(identifier))) {
    return refuse('sign_in_experiences.miss_sign_up_identifier_in_sign_in')
  }
  if (signUp.password && methods.some(({ password }) => !password)) {
    return refuse('sign_in_experiences.password_sign_in_must_be_enabled')
  }
  const needsCodes = signUp.verify && !signUp.password
  if (needsCodes && methods.some((method) => method.identifier !== 'username' && !method.verificationCode)) {
    return refuse('sign_in_experiences.code_sign_in_must_be_enabled')
  }
  return null
}

const connectorTypes = { email: 'Email', phone: 'Sms' } as const

function connectorProblem(identifier: 'email' | 'phone', connectors: InstalledConnectors): Refusal | null {
  return connectors[identifier]
    ? null
    : refuse('sign_in_experiences.enabled_connector_not_found', { type: connectorTypes[identifier] })
}
