import type { z } from 'zod'
import { DEFAULT_EXPERIENCE, type SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { AdminConsole } from '../../../src/contract/tenants/admin-console.schema.ts'
import type { ManagedByCode } from '../../../src/contract/tenants/managed-by-code.schema.ts'
import { isDeepEqual } from '../../api/changes.ts'
import { withSignUp } from '../experience/sign-up-choice.ts'

type Facts = {
  experience: SignInExperience
  checklist: z.output<typeof AdminConsole>
  code: Pick<z.output<typeof ManagedByCode>, 'sections'>
}

/**
 * Tells whether the console should ask what end users sign in with (spec/console#first-run). It asks until somebody
 * answers or skips the question, changes how users sign in or sign up, or manages the tenant by code.
 */
export const shouldAskForIdentifier = ({ experience, checklist, code }: Facts): boolean =>
  !checklist.signInExperienceCustomized &&
  code.sections.length === 0 &&
  (['signIn', 'signUp', 'signInMode', 'socialSignInConnectorTargets'] as const).every((name) =>
    isDeepEqual(experience[name], DEFAULT_EXPERIENCE[name]),
  )

/**
 * The destination of the codes for new email addresses. With `nowhere`, the server would reject the choice of email
 * addresses.
 */
type MailTarget = 'connector' | 'inbox' | 'nowhere'

export function findMailTarget(
  connectors: readonly { type: string }[],
  environment: 'production' | 'development',
): MailTarget {
  if (connectors.some(({ type }) => type === 'Email')) return 'connector'
  return environment === 'development' ? 'inbox' : 'nowhere'
}

/**
 * Returns the settings for users who sign up and sign in with an email address and a password. The sign-in with a
 * username remains, because the first administrator uses it.
 */
export const emailSettings = (experience: Pick<SignInExperience, 'signIn' | 'signUp'>) =>
  withSignUp(experience, { identifiers: ['email'], password: true, verify: true })
