import { type AnsweredState, stateOf } from '../../../operator/config/current-state.ts'
import { ADMIN_ROLE } from '../../../src/contract/product.ts'
import { call } from '../../api/client.ts'
import type { ManagementScope } from '../../session/scopes.ts'

/** The scopes of all its calls. */
export const NEEDED_TO_READ: readonly ManagementScope[] = [
  'applications:read',
  'experience:read',
  'connectors:read',
  'roles:read',
  'hooks:read',
  'settings:read',
]

const PAGE_SIZE = 100 // spec/limits#lists

async function readPages<T>(path: string): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { data } = await call<T[]>(path, { query: { page, page_size: PAGE_SIZE } })
    all.push(...data)
    if (data.length < PAGE_SIZE) return all
  }
}

const read = async <T>(path: string, query = {}): Promise<T> => (await call<T>(path, { query })).data

/** The tenant as the objects of a settings file: what `npm run config -- export` reads, by the same calls. */
export async function readState() {
  const [
    experience,
    settings,
    connectors,
    factories,
    phrases,
    resources,
    roles,
    applications,
    admins,
    hooks,
  ] = await Promise.all([
    read<AnsweredState['experience']>('/sign-in-exp'),
    read<AnsweredState['settings']>('/configs/settings'),
    read<AnsweredState['connectors']>('/connectors'),
    read<AnsweredState['factories']>('/connector-factories'),
    read<AnsweredState['phrases']>('/custom-phrases'),
    read<AnsweredState['resources']>('/resources', { includeScopes: true }),
    readPages<AnsweredState['roles'][number]>('/roles'),
    readPages<AnsweredState['applications'][number]>('/applications'),
    readPages<AnsweredState['applications'][number]>(`/roles/${ADMIN_ROLE.id}/applications`),
    read<AnsweredState['hooks']>('/hooks'),
  ])
  const links: AnsweredState['links'] = []
  for (const { id } of roles) {
    const [scopes, having] = await Promise.all([
      read<AnsweredState['links'][number]['scopes']>(`/roles/${id}/scopes`),
      readPages<AnsweredState['applications'][number]>(`/roles/${id}/applications`),
    ])
    links.push({ id, scopes, applications: having })
  }
  const answered = { experience, settings, connectors, factories, phrases, resources, roles, links }
  return stateOf({ ...answered, applications, admins, hooks })
}
