import { useQueries } from '@tanstack/react-query'
import type { ApplicationType } from '../../../src/contract/applications/applications.ts'
import { apiQuery, retryFailed, useApi } from '../../api/queries.ts'
import { useCan } from '../../session/permissions.tsx'
import type { Role } from '../roles.ts'
import type { Scope } from './api-list.tsx'

type Service = { id: string; name: string; type: ApplicationType }

/** The most roles and services that are looked at. Each role costs a call. */
const MAX_ROLES = 20
const MAX_SERVICES = 100

/**
 * Finds out how far the setup of an API is: its scopes (oldest first), a role with one of them, and a service with such
 * a role.
 */
export function useApiProgress(apiId: string) {
  const mayReadApplications = useCan('applications:read')
  const scopes = useApi<Scope[]>(`/resources/${apiId}/scopes`, { query: { page: 1, page_size: 20 } })
  const roles = useApi<Role[]>('/roles', { query: { page_size: MAX_ROLES } })
  const applications = useApi<Service[]>('/applications', {
    query: { page_size: MAX_SERVICES },
    isEnabled: mayReadApplications,
  })
  const hasScopes = (scopes.data?.data.length ?? 0) > 0
  const ofRoles = useQueries({
    queries: (hasScopes ? (roles.data?.data ?? []) : []).map(({ id }) =>
      apiQuery<Scope[]>(`/roles/${id}/scopes`),
    ),
  })
  const withScope = (roles.data?.data ?? []).filter((_, at) =>
    ofRoles[at]?.data?.data.some(({ resourceId }) => resourceId === apiId),
  )
  const members = useQueries({
    queries: withScope.map(({ id }) => apiQuery<Service[]>(`/roles/${id}/applications`)),
  })
  const services = members.map(({ data }) => data?.data.find(({ type }) => type === 'MachineToMachine'))
  const at = services.findIndex((service) => service !== undefined)
  const reads = [scopes, roles, ...(mayReadApplications ? [applications] : []), ...ofRoles, ...members]
  return {
    scopes: (scopes.data?.data ?? []).toReversed(),
    /** The role of the service, or another role with a scope of the API. */
    role: withScope[Math.max(at, 0)] ?? null,
    service: services[at] ?? null,
    hasMachines: applications.data?.data.some(({ type }) => type === 'MachineToMachine') ?? false,
    isLoading: reads.some(({ data }) => data === undefined),
    failure: reads.find(({ data, error }) => data === undefined && error)?.error ?? null,
    retry: retryFailed(...reads),
  }
}
