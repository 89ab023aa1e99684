import { ADMIN_ROLE, MANAGEMENT_SCOPE } from '../product.ts'

/** The scopes of the management API (spec/management#scopes-of-api): one to read and one to write of each area. */

export const MANAGEMENT_AREAS = [
  'applications',
  'experience',
  'connectors',
  'users',
  'roles',
  'hooks',
  'logs',
  'settings',
] as const
export type ManagementArea = (typeof MANAGEMENT_AREAS)[number]

/** Nobody writes a log. */
type WritableArea = Exclude<ManagementArea, 'logs'>
export type ManagementScope = 'all' | `${ManagementArea}:read` | `${WritableArea}:write`

/** As rows of every tenant. */
export const MANAGEMENT_SCOPES: readonly { id: string; name: ManagementScope; description: string }[] = [
  { ...MANAGEMENT_SCOPE, description: 'Everything the management API can do' },
  row('applications:read', 'See applications, without their secrets'),
  row('applications:write', 'Change applications and see their secrets'),
  row('experience:read', 'See the sign-in experience and its phrases'),
  row('experience:write', 'Change the sign-in experience, its phrases and pictures'),
  row('connectors:read', 'See connectors, without their secrets'),
  row('connectors:write', 'Change and test connectors, send codes'),
  row('users:read', 'See users'),
  row('users:write', 'Change users'),
  row('roles:read', 'See roles, resources and scopes'),
  row('roles:write', 'Change roles, resources and scopes'),
  row('hooks:read', 'See hooks and their deliveries, without their secrets'),
  row('hooks:write', 'Change and test hooks and see their secrets'),
  row('logs:read', 'See the audit log'),
  row('settings:read', 'See the settings of the tenant'),
  row('settings:write', 'Change the settings of the tenant and rotate its signing keys'),
]

function row(name: Exclude<ManagementScope, 'all'>, description: string) {
  return { id: name.replace(':', '-'), name, description }
}

export const managementScopeNames = MANAGEMENT_SCOPES.map(({ name }) => name)

/** Roles of every tenant for those who administer it (spec/management#administrators). `mark` begins the ids of their links. */
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
      ...both('applications', 'experience', 'connectors', 'roles', 'hooks'),
      'logs:read',
      'settings:read',
    ],
  },
  {
    id: 'support-role',
    name: '#internal:support',
    mark: 's',
    description: 'Helps users',
    scopes: [...both('users'), 'applications:read', 'roles:read', 'logs:read'],
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

function both(...areas: WritableArea[]): ManagementScope[] {
  return areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const)
}

/** By the first part of the path below `/api`. */
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
  ['dashboard', 'users'],
  ['roles', 'roles'],
  ['resources', 'roles'],
  ['hooks', 'hooks'],
  ['logs', 'logs'],
  ['configs', 'settings'],
])

/** Open to every token that has a scope of the management API. */
const openToAll: readonly string[] = ['my-permissions']

/** What came of a sign-in test is personal data, for those who may begin one (spec/connectors#sign-in-test). */
const outcomeOfTest = /^\/api\/connectors\/[^/]+\/sign-in-tests\//

/**
 * The scopes of which a call of the management API needs one. A path of no area is open to `all` alone: what is
 * forgotten here is closed.
 */
export function scopesOfCall(method: string, path: string): readonly ManagementScope[] {
  const [, , first = ''] = path.split('/')
  if (openToAll.includes(first)) return managementScopeNames
  const area = areaOfPath.get(first)
  if (area === undefined) return [MANAGEMENT_SCOPE.name]
  const isRead = (method === 'GET' || method === 'HEAD') && !outcomeOfTest.test(path)
  if (isRead) return [`${area}:read`, MANAGEMENT_SCOPE.name]
  return area === 'logs' ? [MANAGEMENT_SCOPE.name] : [`${area}:write`, MANAGEMENT_SCOPE.name]
}
