import { ADMIN_ROLE, MANAGEMENT_SCOPE } from '../product.ts'

/**
 * The scopes of the management API. Each area has a scope for reading and a scope for writing
 * (spec/management#scopes-of-api).
 */

export const MANAGEMENT_AREAS = [
  'applications',
  'experience',
  'connectors',
  'users',
  'roles',
  'organizations',
  'hooks',
  'logs',
  'settings',
] as const
export type ManagementArea = (typeof MANAGEMENT_AREAS)[number]

/** The areas that can be changed: all except the audit log. */
type WritableArea = Exclude<ManagementArea, 'logs'>
export type ManagementScope = 'all' | `${ManagementArea}:read` | `${WritableArea}:write`

/** The scopes of the management API that are stored for every tenant. */
export const MANAGEMENT_SCOPES: readonly { id: string; name: ManagementScope; description: string }[] = [
  { ...MANAGEMENT_SCOPE, description: 'Everything the management API can do' },
  scopeRow('applications:read', 'See applications, without their secrets'),
  scopeRow('applications:write', 'Change applications and see their secrets'),
  scopeRow('experience:read', 'See the sign-in experience and its phrases'),
  scopeRow('experience:write', 'Change the sign-in experience, its phrases and pictures'),
  scopeRow('connectors:read', 'See connectors, without their secrets'),
  scopeRow('connectors:write', 'Change and test connectors, send codes'),
  scopeRow('users:read', 'See users'),
  scopeRow('users:write', 'Change users'),
  scopeRow('roles:read', 'See roles, resources and scopes'),
  scopeRow('roles:write', 'Change roles, resources and scopes'),
  scopeRow('organizations:read', 'See organisations, their members and invitations'),
  scopeRow('organizations:write', 'Change organisations, their members and invitations'),
  scopeRow('hooks:read', 'See hooks and their deliveries, without their secrets'),
  scopeRow('hooks:write', 'Change and test hooks and see their secrets'),
  scopeRow('logs:read', 'See the audit log'),
  scopeRow('settings:read', 'See the settings of the tenant'),
  scopeRow('settings:write', 'Change the settings of the tenant and rotate its signing keys'),
]

function scopeRow(name: Exclude<ManagementScope, 'all'>, description: string) {
  return { id: name.replace(':', '-'), name, description }
}

export const managementScopeNames = MANAGEMENT_SCOPES.map(({ name }) => name)

/**
 * The roles that administer a tenant (spec/management#administrators). `mark` is the prefix of the ids of the rows that
 * assign scopes to the role.
 */
export const ADMINISTRATOR_ROLES = [
  {
    ...ADMIN_ROLE,
    mark: 'a',
    description: 'Administers this tenant through the management API',
    scopes: managementScopeNames,
  },
  {
    id: 'developer-role',
    name: '#internal:developer',
    mark: 'd',
    description: 'Builds applications and their sign-in',
    scopes: [
      ...readAndWrite('applications', 'experience', 'connectors', 'roles', 'hooks'),
      'organizations:read',
      'logs:read',
      'settings:read',
    ],
  },
  {
    id: 'support-role',
    name: '#internal:support',
    mark: 's',
    description: 'Helps users',
    scopes: [...readAndWrite('users', 'organizations'), 'applications:read', 'roles:read', 'logs:read'],
  },
  {
    id: 'read-only-role',
    name: '#internal:read-only',
    mark: 'r',
    description: 'Sees everything but secrets',
    scopes: MANAGEMENT_AREAS.map((area) => `${area}:read` as const),
  },
] as const satisfies {
  id: string
  name: string
  mark: string
  description: string
  scopes: readonly ManagementScope[]
}[]

function readAndWrite(...areas: WritableArea[]): ManagementScope[] {
  return areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const)
}

/** Maps the first path segment after `/api` to an area. */
const areaOfPath = new Map<string, ManagementArea>([
  ['applications', 'applications'],
  ['registration-tokens', 'applications'],
  ['failed-requests', 'applications'],
  ['sign-in-exp', 'experience'],
  ['custom-phrases', 'experience'],
  ['user-assets', 'experience'],
  ['connectors', 'connectors'],
  ['connector-factories', 'connectors'],
  ['messages', 'connectors'],
  ['verification-codes', 'connectors'],
  ['users', 'users'],
  ['invitations', 'users'],
  ['dashboard', 'users'],
  ['roles', 'roles'],
  ['resources', 'roles'],
  ['organization-roles', 'roles'],
  ['organization-scopes', 'roles'],
  ['organizations', 'organizations'],
  ['hooks', 'hooks'],
  ['logs', 'logs'],
  ['configs', 'settings'],
])

/** Paths that accept any token with a scope of the management API. */
const openPaths: readonly string[] = ['my-permissions']

/**
 * The result of a sign-in test is personal data, so reading it requires the same scope as starting the test
 * (spec/connectors#sign-in-test).
 */
const signInTestPath = /^\/api\/connectors\/[^/]+\/sign-in-tests\//

/** A preview of claims changes nothing, although it has a body (spec/management#claims-preview). */
const claimsPreviewPath = /^\/api\/(?:applications|resources)\/[^/]+\/claims\/preview$/

/**
 * Returns the scopes that permit a request to the management API; a token needs any one of them. A path that is missing
 * from every area requires the scope `all`, so that a forgotten entry denies access.
 */
export function getAcceptedScopes(method: string, path: string): readonly ManagementScope[] {
  const [, , first = ''] = path.split('/')
  if (openPaths.includes(first)) return managementScopeNames
  const area = areaOfPath.get(first)
  if (area === undefined) return [MANAGEMENT_SCOPE.name]
  const isRead =
    ((method === 'GET' || method === 'HEAD') && !signInTestPath.test(path)) || claimsPreviewPath.test(path)
  if (isRead) return [`${area}:read`, MANAGEMENT_SCOPE.name]
  return area === 'logs' ? [MANAGEMENT_SCOPE.name] : [`${area}:write`, MANAGEMENT_SCOPE.name]
}
