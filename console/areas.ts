import { type ComponentType, lazy } from 'react'
import { isOperatorsTenant } from './session/place.ts'
import type { ManagementArea, ManagementScope } from './session/scopes.ts'

export type AreaRow = {
  /** Below `/console`; the pages of an area lie below its address. */
  path: `/${string}`
  isOnePage?: true
  name:
    | 'start'
    | 'applications'
    | 'experience'
    | 'connectors'
    | 'users'
    | 'access'
    | 'hooks'
    | 'log'
    | 'settings'
    | 'asCode'
    | 'tenants'
  /** The area is shown to users who have one of these. Empty: to everyone. */
  needs: readonly ManagementScope[]
  Page: ComponentType
}

const read = (...areas: ManagementArea[]) => areas.map((area): ManagementScope => `${area}:read`)

const tenants: AreaRow = {
  path: '/tenants',
  isOnePage: true,
  name: 'tenants',
  needs: ['all'],
  Page: lazy(() => import('./areas/tenants/tenants.tsx')),
}

/** The areas of the console (spec/console#areas), each a file that is loaded when it is opened. */
export const areaRows: readonly AreaRow[] = [
  {
    path: '/',
    isOnePage: true,
    name: 'start',
    needs: [],
    Page: lazy(() => import('./areas/start/start.tsx')),
  },
  {
    path: '/applications',
    name: 'applications',
    needs: read('applications'),
    Page: lazy(() => import('./areas/applications/applications.tsx')),
  },
  {
    path: '/experience',
    name: 'experience',
    needs: read('experience'),
    Page: lazy(() => import('./areas/experience/experience.tsx')),
  },
  {
    path: '/connectors',
    name: 'connectors',
    needs: read('connectors'),
    Page: lazy(() => import('./areas/connectors/connectors.tsx')),
  },
  {
    path: '/users',
    name: 'users',
    needs: read('users'),
    Page: lazy(() => import('./areas/users/users.tsx')),
  },
  {
    path: '/access',
    name: 'access',
    needs: read('roles'),
    Page: lazy(() => import('./areas/access/access.tsx')),
  },
  {
    path: '/hooks',
    name: 'hooks',
    needs: read('hooks'),
    Page: lazy(() => import('./areas/hooks/hooks.tsx')),
  },
  { path: '/log', name: 'log', needs: read('logs'), Page: lazy(() => import('./areas/log/log.tsx')) },
  {
    path: '/settings',
    name: 'settings',
    needs: read('settings'),
    Page: lazy(() => import('./areas/settings/settings.tsx')),
  },
  {
    path: '/as-code',
    isOnePage: true,
    name: 'asCode',
    needs: read('settings'),
    Page: lazy(() => import('./areas/as-code/as-code.tsx')),
  },
  ...(isOperatorsTenant ? [tenants] : []),
]
