import type { InteractionEvent } from './identifiers.ts'

/** Events that hooks can subscribe to (spec/connectors#hook-events). */
export const hookEvents = ['PostRegister', 'PostSignIn', 'PostResetPassword'] as const
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
} as const satisfies Record<InteractionEvent, HookEvent>
