import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createAuditTrail } from '../../../src/application/audit.ts'
import type { ActingParty } from '../../../src/application/organisations/acting-party.ts'
import {
  addMembers,
  leaveOrganization,
  removeOrganizationMember,
  replaceMemberRoles,
} from '../../../src/application/organisations/members.ts'
import {
  changeOrganization,
  createOrganization,
  removeOrganization,
} from '../../../src/application/organisations/organizations.ts'
import type { OrganizationPermission } from '../../../src/contract/organisations/organizations.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { hasPermission, mayAssignRole } from '../../../src/domain/organisations/authority.ts'
import { createCache } from '../../../src/storage/cache.ts'
import type { Database } from '../../../src/storage/database.ts'
import { readCompleteExperience } from '../../../src/storage/experience/experience.ts'
import { insertHook } from '../../../src/storage/hooks/hooks.ts'
import { randomId } from '../../../src/storage/ids.ts'
import {
  memberMay,
  memberMayAssign,
  memberPowersQuery,
  roleIdList,
  rolePowersQuery,
  toRolePowers,
} from '../../../src/storage/organisations/authority.ts'
import { createOrganizationExperiences } from '../../../src/storage/organisations/experiences.ts'
import {
  logs,
  organizationRoleScopes,
  organizationRoles,
  organizationScopes,
  organizations,
  organizationUserRoles,
  organizationUsers,
  outbox,
  users,
} from '../../../src/storage/tables.ts'
import { newSeededTenant, newUser, TEST_NOW, testDatabases } from '../databases.ts'

/** Tests the use cases of organisations and their members (spec/organisations#authority). */

const CALLED_URL = 'https://id.example'
const OPERATOR: ActingParty = { kind: 'operator' }
const member = (userId: string): ActingParty => ({ kind: 'member', userId })

/** A tenant with a hook for all events about organisations, and one organisation with an owner. */
async function openFixture(db: Database) {
  const tenantId = await newSeededTenant(db)
  await insertHook(db, {
    tenantId,
    id: randomId(),
    events: [
      'Organization.Created',
      'Organization.Updated',
      'Organization.Deleted',
      'Organization.Membership.Updated',
    ],
    config: { url: 'https://hook.example', retries: 0 },
    secret: 's',
    createdAt: TEST_NOW,
  })
  const settings = { usersMayCreate: true, mostPerUser: 1, accessTokenTtl: 600 }
  const dependencies = (database = db) => ({
    db: database,
    now: () => TEST_NOW,
    deliveries: undefined as never, // The messages stay in the outbox.
    experience: createCache((id) => readCompleteExperience(db, id), { now: () => TEST_NOW }),
    organizationExperiences: createOrganizationExperiences(db, { now: () => TEST_NOW }),
    tenantSettings: createCache(async () => ({ ...DEFAULT_TENANT_SETTINGS, organizations: settings }), {
      now: () => TEST_NOW,
    }),
  })
  const common = (payload: object = {}) => ({
    tenantId,
    audit: createAuditTrail({ now: () => TEST_NOW }, { ip: undefined, userAgent: undefined }).begin('Test', {
      ...payload,
    }),
    hooks: { actor: { type: 'application' as const, id: 'test' }, background() {}, collect() {} },
  })
  const create = (by: ActingParty, ownerId?: string) =>
    createOrganization(dependencies(), {
      ...common(),
      by,
      organization: { id: randomId(), name: 'Acme' },
      ownerId,
    })

  const owner = (await newUser(db, tenantId)).id
  const { id: organizationId } = await create(OPERATOR, owner)
  const key = { tenantId, organizationId }
  const change = (by: ActingParty) => ({ ...common({ organizationId }), organizationId, by })
  const add = async (...roleIds: string[]) => {
    const { id } = await newUser(db, tenantId)
    await addMembers(dependencies(), {
      ...common({ organizationId }),
      organizationId,
      userIds: [id],
      roleIds,
    })
    return id
  }
  const newRole = async (permissions: OrganizationPermission[], scopeIds: string[] = []) => {
    const id = randomId()
    await db.insert(organizationRoles).values({ tenantId, id, name: id, permissions })
    for (const scopeId of scopeIds) {
      await db
        .insert(organizationScopes)
        .values({ tenantId, id: scopeId, name: scopeId })
        .onConflictDoNothing()
      await db.insert(organizationRoleScopes).values({ tenantId, roleId: id, scopeId })
    }
    return id
  }
  const rolesOf = async (userId: string) =>
    (
      await db
        .select({ roleId: organizationUserRoles.roleId })
        .from(organizationUserRoles)
        .where(and(eq(organizationUserRoles.tenantId, tenantId), eq(organizationUserRoles.userId, userId)))
        .orderBy(organizationUserRoles.roleId)
    ).map(({ roleId }) => roleId)
  const memberIds = async () =>
    (await db.select().from(organizationUsers).where(eq(organizationUsers.tenantId, tenantId))).map(
      ({ userId }) => userId,
    )
  const messages = async () =>
    (await db.select().from(outbox).where(eq(outbox.tenantId, tenantId)).orderBy(sql`rowid`)).map(
      ({ payload }) => payload as Record<string, unknown>,
    )
  const replace = (by: ActingParty, userId: string, roleIds: string[], database = db) =>
    replaceMemberRoles(dependencies(database), { ...change(by), userId, roleIds })
  const remove = (by: ActingParty, userId: string, database = db) =>
    removeOrganizationMember(dependencies(database), { ...change(by), userId, url: CALLED_URL })
  const leave = (userId: string) =>
    leaveOrganization(dependencies(), {
      ...common({ organizationId }),
      organizationId,
      userId,
      url: CALLED_URL,
    })
  const removeAll = (by: ActingParty) =>
    removeOrganization(dependencies(), { ...change(by), url: CALLED_URL })

  return {
    tenantId,
    key,
    owner,
    dependencies,
    common,
    change,
    create,
    add,
    newRole,
    rolesOf,
    memberIds,
    messages,
    replace,
    remove,
    leave,
    removeAll,
  }
}

/** A database that runs a change between the reads and the batch of a use case. */
function interleave(db: Database, between: () => Promise<unknown>): Database {
  let batches = 0
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name)
      return async (...statements: Parameters<Database['batch']>) => {
        batches++
        if (batches === 2) await between()
        return target.batch(...statements)
      }
    },
  })
}

describe.each(testDatabases)('organisations on $name', ({ db }) => {
  it('are created, changed and deleted with a message about each change', async () => {
    const { tenantId, key, owner, dependencies, change, messages, rolesOf, memberIds, removeAll } =
      await openFixture(db)
    expect(await rolesOf(owner)).toEqual(['owner'])
    const changed = await changeOrganization(dependencies(), {
      ...change(member(owner)),
      changes: { name: 'Acme Ltd' },
    })
    expect(changed).toMatchObject({ name: 'Acme Ltd', createdBy: null })
    await removeAll(member(owner))
    expect(await memberIds()).toEqual([])
    const { organizationId } = key
    expect(await messages()).toMatchObject([
      { event: 'Organization.Created', organizationId, organization: { name: 'Acme', customData: {} } },
      { event: 'Organization.Updated', organization: { name: 'Acme Ltd' } },
      { event: 'Organization.Deleted', organization: { id: organizationId, name: 'Acme Ltd' } },
    ])
    const [log] = await db
      .select()
      .from(logs)
      .where(and(eq(logs.tenantId, tenantId), sql`payload ->> '$.changes' is not null`))
    expect(log?.payload).toMatchObject({
      organizationId,
      changes: { name: { before: 'Acme', after: 'Acme Ltd' } },
    })
  })

  it('can be created by users up to the limit, even at the same time', async () => {
    const { tenantId, create } = await openFixture(db)
    const { id } = await newUser(db, tenantId)
    const results = await Promise.allSettled([create(member(id)), create(member(id))])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(create(member(id))).rejects.toThrow('organization.limit_reached')
    const own = await db.select().from(organizations).where(eq(organizations.createdBy, id))
    expect(own).toHaveLength(1)
    await expect(create(OPERATOR, 'unknown')).rejects.toThrow('entity.not_found')
  })

  it('refuse changes by strangers, and those that a member may not make', async () => {
    const { tenantId, owner, dependencies, change, add, newRole, replace, remove, removeAll } =
      await openFixture(db)
    const stranger = member((await newUser(db, tenantId)).id)
    const simple = await add()
    const manager = member(await add(await newRole(['members:manage', 'members:read'])))
    const settings = await newRole(['settings:manage'])
    const changes = { name: 'X' }
    for (const [by, code] of [
      [stranger, 'not_member'],
      [member(simple), 'permission_missing'],
      [manager, 'permission_missing'],
    ] as const) {
      await expect(changeOrganization(dependencies(), { ...change(by), changes })).rejects.toThrow(
        `organization.${code}`,
      )
      await expect(removeAll(by)).rejects.toThrow(`organization.${code}`)
    }
    const unknown = { ...change(stranger), organizationId: 'unknown', changes }
    await expect(changeOrganization(dependencies(), unknown)).rejects.toThrow('organization.not_member')
    await expect(replace(stranger, simple, [])).rejects.toThrow('organization.not_member')
    await expect(replace(member(simple), simple, ['owner'])).rejects.toThrow(
      'organization.permission_missing',
    )
    await expect(replace(manager, simple, ['owner'])).rejects.toThrow('organization.role_above_own')
    await expect(replace(manager, simple, [settings])).rejects.toThrow('organization.role_above_own')
    await expect(replace(manager, owner, [])).rejects.toThrow('organization.role_above_own')
    await expect(remove(manager, owner)).rejects.toThrow('organization.role_above_own')
    await expect(replace(manager, simple, [' owner'])).rejects.toThrow('entity.not_exists_with_id')
    await remove(manager, simple)
  })

  it('send the added, changed and removed members', async () => {
    const { tenantId, key, owner, common, dependencies, newRole, add, replace, remove, leave, messages } =
      await openFixture(db)
    const [first, second] = [await newRole([]), await newRole([])].toSorted() as [string, string]
    const [a, b] = [await add(first), (await newUser(db, tenantId)).id]
    const both = { ...common(), ...key, userIds: [a, b], roleIds: [second] }
    await addMembers(dependencies(), both)
    await addMembers(dependencies(), both) // changes nothing, so it sends nothing
    await replace(member(owner), a, [second])
    await replace(OPERATOR, a, [second])
    await remove(OPERATOR, a)
    await leave(b)
    await expect(leave(b)).rejects.toThrow('organization.not_member')
    const lists = (await messages())
      .filter(({ event }) => event === 'Organization.Membership.Updated')
      .map(({ added, updated, removed }) => ({ added, updated, removed }))
    const none = { added: [], updated: [], removed: [] }
    expect(lists).toEqual([
      { ...none, added: [{ userId: a, roleIds: [first] }] },
      {
        ...none,
        added: [{ userId: b, roleIds: [second] }],
        updated: [{ userId: a, roleIds: [first, second] }],
      },
      { ...none, updated: [{ userId: a, roleIds: [second] }] },
      { ...none, removed: [{ userId: a }] },
      { ...none, removed: [{ userId: b }] },
    ])
  })

  it('keep an owner, even if the last two leave at the same time', async () => {
    const { owner, add, replace, remove, leave, rolesOf, memberIds } = await openFixture(db)
    for (const attempt of [
      () => leave(owner),
      () => remove(OPERATOR, owner),
      () => replace(OPERATOR, owner, []),
    ])
      await expect(attempt()).rejects.toThrow('organization.last_owner')
    expect(await rolesOf(owner)).toEqual(['owner'])
    const other = await add('owner')
    const suspend = (isSuspended: boolean) => db.update(users).set({ isSuspended }).where(eq(users.id, other))
    await suspend(true)
    await expect(leave(owner)).rejects.toThrow('organization.last_owner')
    await suspend(false)
    const results = await Promise.allSettled([replace(member(owner), other, []), leave(owner)])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const roles = await Promise.all((await memberIds()).map(rolesOf))
    expect(roles.flat()).toContain('owner')
  })

  it('change nothing if the acting member loses the permission before the batch', async () => {
    const { key, add, newRole, replace, remove, rolesOf, memberIds } = await openFixture(db)
    const role = await newRole(['members:manage'])
    const [manager, other] = [await add(role), await add(role)]
    const lose = () =>
      db
        .delete(organizationUserRoles)
        .where(
          and(eq(organizationUserRoles.tenantId, key.tenantId), eq(organizationUserRoles.userId, manager)),
        )
    await expect(remove(member(manager), other, interleave(db, lose))).rejects.toThrow(
      'organization.permission_missing',
    )
    await replace(OPERATOR, manager, [role])
    const raise = () => replace(OPERATOR, other, ['owner'])
    await expect(remove(member(manager), other, interleave(db, raise))).rejects.toThrow(
      'organization.role_above_own',
    )
    await expect(replace(member(manager), other, [], interleave(db, lose))).rejects.toThrow('organization.')
    expect(await memberIds()).toContain(other)
    expect(await rolesOf(other)).toEqual(['owner'])
  })

  it('check authority in the database by the same rules as before the change', async () => {
    const { tenantId, key, owner, add, newRole } = await openFixture(db)
    const roles = [
      'owner',
      await newRole([]),
      await newRole(['members:manage']),
      await newRole(['members:manage', 'log:read'], ['read']),
      await newRole([], ['read', 'write']),
    ]
    const actors = [owner, await add(), ...(await Promise.all(roles.slice(1).map((role) => add(role))))]
    actors.push(await add(...roles.slice(2)))
    for (const userId of actors) {
      const own = toRolePowers(await memberPowersQuery(db, { ...key, userId }))
      for (const role of toRolePowers(await rolePowersQuery(db, tenantId, roles))) {
        const condition = memberMayAssign({ ...key, userId }, roleIdList([role.id]))
        const [row] = await db.all<{ is: number }>(sql`select ${condition} as "is"`)
        expect(row?.is === 1).toBe(mayAssignRole(own, role))
      }
      const [row] = await db.all<{ is: number }>(
        sql`select ${memberMay({ ...key, userId }, 'log:read')} as "is"`,
      )
      expect(row?.is === 1).toBe(hasPermission(own, 'log:read'))
    }
  })
})
