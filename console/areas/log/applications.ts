import { useApi } from '../../api/queries.ts'
import { useCan } from '../../session/permissions.tsx'

type Named = { id: string; name: string }

/**
 * Returns all applications of the tenant. Null means that they aren't loaded yet, that the user may not read them, or
 * that there are more than fit on one page.
 */
export function useApplications(): readonly Named[] | null {
  const isEnabled = useCan('applications:read')
  const { data } = useApi<Named[]>('/applications', { query: { page_size: 100 }, isEnabled })
  return data && !data.isCapped && (data.total ?? 0) <= data.data.length ? data.data : null
}
