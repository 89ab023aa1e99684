import { SECRET_PLACEHOLDER } from '../connectors/connectors.ts'

import type { InteractionEvent } from '../interactions/identifiers.ts'

/** Events that hooks can subscribe to (spec/connectors#hook-events). */
export const interactionHookEvents = ['PostRegister', 'PostSignIn', 'PostResetPassword'] as const
/**
 * Changes of what a user signs in with, wherever they are made; `User.Updated` of addresses, identities and profile by the user, as are
 * ended sessions, withdrawn consents, forgotten browsers and renamed passkeys.
 */
export const accountHookEvents = [
  'User.PasskeyAdded',
  'User.PasskeyRemoved',
  'User.FactorAdded',
  'User.FactorRemoved',
  'User.Updated',
  'User.SessionsEnded',
  'User.ConsentWithdrawn',
  'User.BrowsersForgotten',
  'User.PasskeyRenamed',
  'User.DeletionRequested',
  'User.DeletionCanceled',
  'User.Deleted',
] as const
export type AccountHookEvent = (typeof accountHookEvents)[number]

export const hookEvents = [...interactionHookEvents, ...accountHookEvents] as const
export type HookEvent = (typeof hookEvents)[number]

/** `retries` counts the immediate attempts behind the answer; the schedule makes the later ones. */
export type HookConfig = { url: string; headers?: Record<string, string> | undefined; retries: number }

/** As stored: headers may hold a secret of the receiver. Rows of an older version have them unsealed until they change. */
export type StoredHookConfig = HookConfig & { sealedHeaders?: string | undefined }

/** The hook event of each interaction event (spec/connectors#hook-events). */
export const hookEventOf = {
  Register: 'PostRegister',
  SignIn: 'PostSignIn',
  ForgotPassword: 'PostResetPassword',
} as const satisfies Record<InteractionEvent, (typeof interactionHookEvents)[number]>

export const withheldHeaders = ({ headers }: HookConfig): Pick<HookConfig, 'headers'> =>
  headers
    ? { headers: Object.fromEntries(Object.keys(headers).map((name) => [name, SECRET_PLACEHOLDER])) }
    : {}
