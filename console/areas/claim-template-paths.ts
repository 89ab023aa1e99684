import type { ClaimTemplate } from '../../src/contract/applications/claim-template.ts'
import type { AccountCentreSettings } from '../../src/contract/tenants/settings.ts'
import {
  type ClaimPathRoot,
  isClaimPath,
  isEditableByUser,
} from '../../src/domain/applications/claim-paths.ts'

/** The paths that the console explains (spec/provider#claim-paths), each with the root that its phrase is about. */
export const explainedPaths = [
  { path: '$.username', root: 'username' },
  { path: '$.name', root: 'name' },
  { path: '$.primaryEmail', root: 'primaryEmail' },
  { path: '$.primaryPhone', root: 'primaryPhone' },
  { path: '$.avatar', root: 'avatar' },
  { path: '$.profile.givenName', root: 'profile' },
  { path: '$.customData.department', root: 'customData' },
  { path: '$.roles', root: 'roles' },
  { path: '$.scopes', root: 'scopes' },
] as const satisfies readonly { path: string; root: ClaimPathRoot }[]

export const exampleTemplate: ClaimTemplate = {
  department: '$.customData.department',
  staff: { roles: '$.roles', since: '$.customData.since' },
  plan: 'enterprise',
}

type Policies = Pick<AccountCentreSettings, 'fields' | 'customFields'>

/** Returns the paths of a template whose values users can edit themselves, without duplicates. */
export function findEditablePaths(template: ClaimTemplate | null, policies: Policies): string[] {
  return [...new Set(collectPaths(template))].filter((path) => isEditableByUser(path, policies))
}

function collectPaths(value: unknown): string[] {
  if (isClaimPath(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectPaths) : []
}
