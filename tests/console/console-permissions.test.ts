import { describe, expect, it } from 'vitest'
// Defines the browser's globals, which the modules below read when they are loaded.
import './console-page.tsx'

const { planPermissionChanges } = await import('../../console/areas/access/permissions.ts')
const { permitsManagement } = await import('../../console/session/authority.ts')

/** Tests the permissions of roles in the console (spec/console#permissions). */

const scope = (id: string, resourceId = 'shop') => ({ id, name: `${id}:it`, resourceId })
const known = [scope('read'), scope('write'), scope('delete'), scope('read-logs', 'management-api')]

describe('the changes to a role’s permissions', () => {
  it.each([
    {
      title: 'are only the differences to what the role has now',
      changes: { 'shop/read:it': true, 'shop/write:it': true, 'shop/delete:it': null } as const,
      assigned: [scope('read'), scope('delete')],
      plan: { added: ['write'], removed: ['delete'] },
    },
    {
      title: 'leave alone what someone else has assigned in the meantime',
      changes: { 'shop/read:it': true } as const,
      assigned: [scope('write')],
      plan: { added: ['read'], removed: [] },
    },
    {
      title: 'are empty once someone else has made the same changes',
      changes: { 'shop/read:it': true, 'shop/write:it': null } as const,
      assigned: [scope('read')],
      plan: { added: [], removed: [] },
    },
    {
      title: 'ignore permissions that no longer exist',
      changes: { 'shop/gone:it': true } as const,
      assigned: [],
      plan: { added: [], removed: [] },
    },
  ])('$title', ({ changes, assigned, plan }) => {
    expect(planPermissionChanges(changes, { assigned, known })).toEqual(plan)
  })
})

describe('a role permits management', () => {
  it.each([
    { resourceId: 'management-api', name: 'users:read', permits: true },
    { resourceId: 'services', name: 'manage:tenant', permits: true },
    { resourceId: 'services', name: 'send:email', permits: false },
    { resourceId: 'management-api', name: 'added:later', permits: false },
    { resourceId: 'shop', name: 'all', permits: false },
  ])('with $name of $resourceId: $permits', ({ permits, ...scope }) => {
    expect(permitsManagement([scope])).toBe(permits)
  })
})
