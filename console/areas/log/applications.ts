import { useApi } from '../../api/queries.ts'
import { useCan } from '../../session/permissions.tsx'

type Named = { id: string; name: string }

/** All applications of the tenant; null until they are read, for who may not read them, and where they are more than a page. */
export function useApplications(): readonly Named[] | null {
  const isEnabled = useCan('applications:read')
  const { data } = useApi<Named[]>('/applications', { query: { page_size: 100 }, isEnabled })
  return data && !data.isCapped && (data.total ?? 0) <= data.data.length ? data.data : null
}
