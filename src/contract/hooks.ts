import type { InteractionEvent } from './identifiers.ts'

/** What applications can be told about (product 4, decision 18). */
export const hookEvents = ['PostRegister', 'PostSignIn', 'PostResetPassword'] as const
export type HookEvent = (typeof hookEvents)[number]

/** `retries` are the quick tries behind the answer; the long ones follow by themselves. */
export type HookConfig = { url: string; headers?: Record<string, string> | undefined; retries: number }

/** At rest: headers may hold a secret of the receiver. Rows of an older version have them open until they are changed. */
export type StoredHookConfig = HookConfig & { sealedHeaders?: string | undefined }

/** What a hook hears of, by what the interaction was for (contract 2.9). */
export const hookEventOf = {
  Register: 'PostRegister',
  SignIn: 'PostSignIn',
  ForgotPassword: 'PostResetPassword',
} as const satisfies Record<InteractionEvent, HookEvent>
