import { type ComponentType, lazy } from 'react'
import { isOperatorTenant } from './session/place.ts'
import type { ManagementScope } from './session/scopes.ts'
import type { Word } from './words.ts'

export type AreaRow = {
  /** The area's path below `/console`. The paths of its pages start with it. */
  path: `/${string}`
  isOnePage?: true
  name: Word
  /**
   * The scopes that make the area visible: a user needs one of them. If there are none, everyone sees the area.
   */
  needs: readonly ManagementScope[]
  Page: ComponentType
}

/** Declares an area. Its module is loaded when the area is opened. */
const area = (
  name: AreaRow['name'],
  needs: readonly ManagementScope[],
  load: () => Promise<{ default: ComponentType }>,
): AreaRow => ({ path: `/${name}`, name, needs, Page: lazy(load) })

/** The areas of the console (spec/console#areas). */
export const areaRows: readonly AreaRow[] = [
  { ...area('start', [], () => import('./areas/start/start.tsx')), path: '/', isOnePage: true },
  area('applications', ['applications:read'], () => import('./areas/applications/applications.tsx')),
  area('experience', ['experience:read'], () => import('./areas/experience/experience.tsx')),
  area('connectors', ['connectors:read'], () => import('./areas/connectors/connectors.tsx')),
  area('users', ['users:read'], () => import('./areas/users/users.tsx')),
  area('organizations', ['organizations:read'], () => import('./areas/organisations/organisations.tsx')),
  area('access', ['roles:read'], () => import('./areas/access/access.tsx')),
  area('hooks', ['hooks:read'], () => import('./areas/hooks/hooks.tsx')),
  area('log', ['logs:read'], () => import('./areas/log/log.tsx')),
  area('settings', ['settings:read'], () => import('./areas/settings/settings.tsx')),
  {
    ...area('asCode', ['settings:read'], () => import('./areas/as-code/as-code.tsx')),
    path: '/as-code',
    isOnePage: true,
  },
  ...(isOperatorTenant
    ? [{ ...area('tenants', ['all'], () => import('./areas/tenants/tenants.tsx')), isOnePage: true as const }]
    : []),
]
