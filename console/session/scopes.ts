/** The areas of the management API (spec/management#scopes). */
export const areas = [
  'applications',
  'experience',
  'connectors',
  'users',
  'roles',
  'hooks',
  'logs',
  'settings',
] as const
export type Area = (typeof areas)[number]
export type ManagementScope = `${Area}:read` | `${Area}:write`

/** What the console asks for; the provider grants what the roles of the user have. */
export const consoleScopes = [
  'openid',
  'profile',
  'email',
  'all',
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
]
