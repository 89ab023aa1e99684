import type { HookActor } from '../../contract/hooks/hooks.ts'
import { hasOtherRole, type LinkKind, lacksRole } from '../../storage/access/role-links.ts'
import type { OutboxEvents } from '../../storage/commit.ts'
import { anyOf } from '../../storage/conditions.ts'
import { futureUserRolesJson, type HookEvents, userRolesJson } from '../../storage/hooks/hook-events.ts'
import type { UserChanges } from '../../storage/users/user-changes.ts'
import type { Dependencies } from '../dependencies.ts'

/** The hook events about accounts that operators and services change (spec/connectors#hook-events). */

/** The options with which the messages of a change are sent after the response. */
export type MessageDispatch = {
  background(task: () => Promise<unknown>): void
  /** Receives the ids of the messages from callers that make several changes and send all messages together. */
  collect?(outboxIds: readonly string[]): void
}

/** The author of a change, and how its events are sent. */
export type HookDispatch = MessageDispatch & { actor: HookActor }

type Occasion = Pick<HookEvents, 'userId' | 'actor' | 'applicationId' | 'now'>

export const userCreatedEvents = (occasion: Occasion): HookEvents => ({ event: 'User.Created', ...occasion })

/** Returns the events of a change of a role's members. Only roles of users have events. */
export const membersChangedEvents = (
  { now }: Pick<Dependencies, 'now'>,
  kind: LinkKind,
  memberIds: readonly string[],
  { actor }: HookDispatch,
) => ({ hooks: kind === 'user' ? [rolesChangedEvents({ userId: memberIds, actor, now: now() })] : [] })

/** The message contains the roles of the user after the change. */
const rolesChangedEvents = (occasion: Occasion): HookEvents => ({
  event: 'User.RolesChanged',
  ...occasion,
  subject: { name: 'roles', json: userRolesJson },
})

type RolesOfUser = Omit<Occasion, 'userId'> & { tenantId: string; userId: string; roleIds: readonly string[] }

/** Returns the event of added roles, some of which the user may already have. There is none if the user has them all. */
export const rolesAddedEvents = ({ tenantId, roleIds, ...occasion }: RolesOfUser): OutboxEvents => ({
  hooksBefore: [
    {
      ...rolesChangedEvents(occasion),
      subject: { name: 'roles', json: futureUserRolesJson(roleIds, 'added') },
      condition: lacksRole(tenantId, occasion.userId, roleIds),
    },
  ],
})

/** Returns the event of roles that replace all others. There is none if the user has exactly these roles. */
export const rolesReplacedEvents = ({ tenantId, roleIds, ...occasion }: RolesOfUser): OutboxEvents => ({
  hooksBefore: [
    {
      ...rolesChangedEvents(occasion),
      subject: { name: 'roles', json: futureUserRolesJson(roleIds, 'replacing') },
      condition: anyOf(
        lacksRole(tenantId, occasion.userId, roleIds),
        hasOtherRole(tenantId, occasion.userId, roleIds),
      ),
    },
  ],
})

/**
 * Returns the events of an operator's change to a user. Suspensions have events of their own, so that receivers can
 * tell them apart from changes of the profile.
 */
export function userChangedEvents(
  { isSuspended, revokedAt: _revokedAt, profileUpdatedAt: _profileUpdatedAt, ...others }: UserChanges,
  occasion: Occasion,
): HookEvents[] {
  const isUpdated = Object.values(others).some((value) => value !== undefined)
  return [
    ...(isSuspended === undefined
      ? []
      : [{ event: isSuspended ? ('User.Suspended' as const) : ('User.Reinstated' as const), ...occasion }]),
    ...(isUpdated ? [{ event: 'User.Updated' as const, ...occasion }] : []),
  ]
}

/** Sends the messages that a change has written to the outbox, after the response, or collects their ids. */
export function dispatchHooks(
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  { tenantId, outboxIds }: { tenantId: string; outboxIds: readonly string[] },
  { background, collect }: MessageDispatch,
): void {
  if (outboxIds.length === 0) return
  if (collect) collect(outboxIds)
  else background(() => deliveries.send(tenantId, outboxIds))
}
