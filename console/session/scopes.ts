import { managementScopeNames } from '../../src/contract/access/management-scopes.ts'

export type { ManagementArea, ManagementScope } from '../../src/contract/access/management-scopes.ts'

/** What the console asks for; the provider grants what the roles of the user have. */
export const consoleScopes = ['openid', 'profile', 'email', ...managementScopeNames]
