import { ADMIN_ROLE } from '../../src/contract/product.ts'
import { type ApiResponses, type TenantState, toConfigState } from './tenant-state.ts'

/** The current state of a deployment. */
export type CurrentState = TenantState & {
  environment: 'production' | 'development'
  /** False if the server is of a version that has no organisations. */
  hasOrganizations: boolean
}

/** Calls the management API. A command checks the response against its schema; the console does not. */
export type ReadApi = <Name extends keyof ApiResponses>(
  name: Name,
  path: string,
  query?: Readonly<Record<string, string>>,
) => Promise<ApiResponses[Name]>

/** Reads the state of a tenant. The command line and the console make the same API calls. */
export async function readState(read: ReadApi): Promise<TenantState> {
  const pages = <Name extends keyof Paginated>(name: Name, path: string) =>
    readPages((query) => read(name, path, query) as Promise<ApiResponses[Name][number][]>)
  const [experience, settings, connectors, factories, phrases, resources, roles, ...more] = await Promise.all(
    [
      read('experience', 'sign-in-exp'),
      read('settings', 'configs/settings'),
      read('connectors', 'connectors'),
      read('factories', 'connector-factories'),
      read('phrases', 'custom-phrases'),
      read('resources', 'resources', { includeScopes: 'true' }),
      pages('roles', 'roles'),
      pages('applications', 'applications'),
      pages('applications', `roles/${ADMIN_ROLE.id}/applications`),
      read('hooks', 'hooks'),
      pages('organizationScopes', 'organization-scopes'),
      pages('organizationRoles', 'organization-roles'),
    ],
  )
  const [applications, admins, hooks, organizationScopes, organizationRoles] = more
  const links = await mapInChunks(roles, async ({ id }) => ({
    id,
    scopes: await read('scopes', `roles/${id}/scopes`),
    applications: await pages('applications', `roles/${id}/applications`),
  }))
  const organizationLinks = await mapInChunks(organizationRoles, async ({ id }) => ({
    id,
    scopes: await pages('organizationScopes', `organization-roles/${id}/scopes`),
    resourceScopes: await pages('resourceScopes', `organization-roles/${id}/resource-scopes`),
  }))
  return toConfigState({
    experience,
    settings,
    connectors,
    factories,
    phrases,
    resources,
    roles,
    links,
    applications,
    admins,
    hooks,
    organizationScopes,
    organizationRoles,
    organizationLinks,
  })
}

/** The lists that have pages. */
type Paginated = Pick<
  ApiResponses,
  'roles' | 'applications' | 'organizationScopes' | 'organizationRoles' | 'resourceScopes'
>

const PAGE_SIZE = 100 // spec/limits#lists

async function readPages<T>(read: (query: Record<string, string>) => Promise<T[]>): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const more = await read({ page: String(page), page_size: String(PAGE_SIZE) })
    rows.push(...more)
    if (more.length < PAGE_SIZE) return rows
  }
}

const CHUNK = 8

/** Reads the items a few at a time, because a tenant may have many. */
async function mapInChunks<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = []
  for (let at = 0; at < items.length; at += CHUNK)
    results.push(...(await Promise.all(items.slice(at, at + CHUNK).map(read))))
  return results
}
