import { managementScopeNames } from '../../src/contract/access/management-scopes.ts'

export type { ManagementArea, ManagementScope } from '../../src/contract/access/management-scopes.ts'

/** The scopes that the console requests. The provider grants the ones that the user's roles contain. */
export const consoleScopes = ['openid', 'profile', 'email', ...managementScopeNames]
