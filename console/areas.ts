import { type ComponentType, lazy } from 'react'
import { isOperatorsTenant } from './session/place.ts'
import type { ManagementScope } from './session/scopes.ts'
import type { Word } from './words.ts'

export type AreaRow = {
  /** The path below `/console`. The pages of the area are below it. */
  path: `/${string}`
  isOnePage?: true
  name: Word
  /** The area is shown to users who have one of these scopes, or to everyone if there are none. */
  needs: readonly ManagementScope[]
  Page: ComponentType
}

/** Declares an area. Its file is loaded when the area is opened. */
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
  area('access', ['roles:read'], () => import('./areas/access/access.tsx')),
  area('hooks', ['hooks:read'], () => import('./areas/hooks/hooks.tsx')),
  area('log', ['logs:read'], () => import('./areas/log/log.tsx')),
  area('settings', ['settings:read'], () => import('./areas/settings/settings.tsx')),
  {
    ...area('asCode', ['settings:read'], () => import('./areas/as-code/as-code.tsx')),
    path: '/as-code',
    isOnePage: true,
  },
  ...(isOperatorsTenant
    ? [{ ...area('tenants', ['all'], () => import('./areas/tenants/tenants.tsx')), isOnePage: true as const }]
    : []),
]
