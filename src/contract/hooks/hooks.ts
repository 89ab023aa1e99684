import { SECRET_PLACEHOLDER } from '../connectors/connectors.ts'

import type { InteractionEvent } from '../interactions/identifiers.ts'

/** The interaction events that hooks can subscribe to (spec/connectors#hook-events). */
export const interactionHookEvents = ['PostRegister', 'PostSignIn', 'PostResetPassword'] as const
/**
 * The account events that hooks can subscribe to. Events about passkeys and factors are sent no matter who makes the
 * change. Updates, ended sessions, withdrawn consents, forgotten browsers and renamed passkeys are reported only if the
 * user makes the change.
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
 * The configuration of a hook. `retries` is the number of quick retries after the first attempt. Later attempts follow
 * the delivery schedule.
 */
export type HookConfig = { url: string; headers?: Record<string, string> | undefined; retries: number }

/**
 * The configuration as stored. Headers may contain a secret of the receiver, so they are sealed. Rows written by older
 * versions contain unsealed headers until the hook is next changed.
 */
export type StoredHookConfig = HookConfig & { sealedHeaders?: string | undefined }

/** Maps interaction events to hook events (spec/connectors#hook-events). */
export const hookEventByInteraction = {
  Register: 'PostRegister',
  SignIn: 'PostSignIn',
  ForgotPassword: 'PostResetPassword',
} as const satisfies Record<InteractionEvent, (typeof interactionHookEvents)[number]>

export const maskHeaders = ({ headers }: HookConfig): Pick<HookConfig, 'headers'> =>
  headers
    ? { headers: Object.fromEntries(Object.keys(headers).map((name) => [name, SECRET_PLACEHOLDER])) }
    : {}
