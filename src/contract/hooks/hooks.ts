import { SECRET_PLACEHOLDER } from '../connectors/connectors.ts'

import type { InteractionEvent } from '../interactions/identifiers.ts'

/** The events of interactions that hooks can subscribe to (spec/connectors#hook-events). */
export const interactionHookEvents = ['PostRegister', 'PostSignIn', 'PostResetPassword'] as const
/**
 * The events of accounts. Those for passkeys and factors are sent whoever makes the change. Updates, ended sessions,
 * withdrawn consents, forgotten browsers and renamed passkeys are reported only if the user makes the change.
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

/**
 * `retries` is the number of immediate attempts after the response was sent. Later attempts follow the delivery
 * schedule.
 */
export type HookConfig = { url: string; headers?: Record<string, string> | undefined; retries: number }

/**
 * The configuration as stored. Headers are sealed, since they may contain a secret of the receiver; rows of an older
 * version stay unsealed until they change.
 */
export type StoredHookConfig = HookConfig & { sealedHeaders?: string | undefined }

/** The hook event for each interaction event (spec/connectors#hook-events). */
export const hookEventByInteraction = {
  Register: 'PostRegister',
  SignIn: 'PostSignIn',
  ForgotPassword: 'PostResetPassword',
} as const satisfies Record<InteractionEvent, (typeof interactionHookEvents)[number]>

export const maskHeaders = ({ headers }: HookConfig): Pick<HookConfig, 'headers'> =>
  headers
    ? { headers: Object.fromEntries(Object.keys(headers).map((name) => [name, SECRET_PLACEHOLDER])) }
    : {}
