import { SECRET_PLACEHOLDER } from '../connectors/connectors.ts'

import type { InteractionEvent } from '../interactions/identifiers.ts'

/** The interaction events that hooks can subscribe to (spec/connectors#hook-events). */
export const interactionHookEvents = ['PostRegister', 'PostSignIn', 'PostResetPassword'] as const

/**
 * All events that hooks can subscribe to, in the groups in which the console lists them. Events about accounts and
 * credentials are sent no matter who makes the change. Those about access, and renamed passkeys, are sent only if the
 * user makes it. Those about organisations are about no single user.
 */
export const hookEventGroups = {
  interactions: interactionHookEvents,
  accounts: [
    'User.Created',
    'User.Updated',
    'User.Suspended',
    'User.Reinstated',
    'User.RolesChanged',
    'User.DeletionRequested',
    'User.DeletionCanceled',
    'User.Deleted',
  ],
  credentials: [
    'User.PasskeyAdded',
    'User.PasskeyRenamed',
    'User.PasskeyRemoved',
    'User.FactorAdded',
    'User.FactorRemoved',
  ],
  access: ['User.SessionsEnded', 'User.ConsentWithdrawn', 'User.BrowsersForgotten'],
  organizations: [
    'Organization.Created',
    'Organization.Updated',
    'Organization.Deleted',
    'Organization.Membership.Updated',
  ],
} as const

/** The events about an organisation. Their messages contain the organisation instead of a user. */
export const organizationHookEvents = hookEventGroups.organizations
export type OrganizationHookEvent = (typeof organizationHookEvents)[number]

export const accountHookEvents = [
  ...hookEventGroups.accounts,
  ...hookEventGroups.credentials,
  ...hookEventGroups.access,
  ...hookEventGroups.organizations,
] as const
export type AccountHookEvent = (typeof accountHookEvents)[number]

export const hookEvents = [...interactionHookEvents, ...accountHookEvents] as const
export type HookEvent = (typeof hookEvents)[number]

/** The events about a user, whose messages contain the user. */
export type UserHookEvent = Exclude<HookEvent, OrganizationHookEvent>

/** The events of one hook. The first one is also its `event`, for clients that know only one event. */
export type SubscribedEvents = [HookEvent, ...HookEvent[]]

/** Returns the events that a request names, either as `events` or as a single `event`. */
export function readSubscribedEvents({
  event,
  events = event === undefined ? [] : [event],
}: {
  event?: HookEvent | undefined
  events?: readonly HookEvent[] | undefined
}): SubscribedEvents | undefined {
  const [first, ...others] = events
  return first && [first, ...others]
}

/**
 * The author of a change, as a message names it (spec/connectors#hook-payload): an operator, a service, or in messages
 * about an organisation one of its users.
 */
export type HookActor = { type: 'administrator' | 'application' | 'user'; id: string }

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
