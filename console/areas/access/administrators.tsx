import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { ADMINISTRATOR_ROLES } from '../../../src/contract/access/management-scopes.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import type { AdministratorRoleId } from '../../session/authority.ts'
import { useCan } from '../../session/permissions.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { useRoleWords } from '../administrator-roles.ts'
import { formatUserName, type NamedUser } from '../users/name-of.ts'
import { AccessPage } from './access-page.tsx'
import { Links } from './links.tsx'
import { texts } from './phrases.ts'

// The card uses the form of the settings, so it is loaded after the page.
const AdministratorFactor = lazy(() => import('./administrator-factor.tsx'))
const Invitations = lazy(() => import('../invitations.tsx'))

/** Lists the administrators by role, with what each role allows (spec/management#administrators). */
export function Administrators() {
  const maySeeSettings = useCan('settings:read')
  return (
    <AccessPage actions={null}>
      {maySeeSettings && (
        <Suspense fallback={<Loading />}>
          <AdministratorFactor />
        </Suspense>
      )}
      {ADMINISTRATOR_ROLES.map(({ id }) => (
        <RoleCard key={id} id={id} />
      ))}
      {useCan('users:read') && (
        <Suspense fallback={null}>
          <Invitations kind="administrator" />
        </Suspense>
      )}
    </AccessPage>
  )
}

const MAX_SHOWN = 20

function RoleCard({ id }: { id: AdministratorRoleId }) {
  const t = useT(texts)
  const roles = useRoleWords()
  const { number } = useFormats()
  const mayReadUsers = useCan('users:read')
  const { data, error, refetch } = useApi<NamedUser[]>(`/roles/${id}/users`, {
    query: { page_size: MAX_SHOWN },
  })
  const more = (data?.total ?? 0) - (data?.data.length ?? 0)
  return (
    <Card
      title={roles.title(id)}
      lead={roles.lead(id)}
      actions={
        <Link
          className="button plain"
          href={`/access/roles/${id}`}
          aria-label={`${t('role')}: ${roles.title(id)}`}
        >
          {t('role')}
        </Link>
      }
    >
      {error && !data && <Loading failure={error} onRetry={refetch} />}
      {data?.data.length === 0 ? (
        <p className="hint">{t('noAdministrators')}</p>
      ) : (
        <Links<NamedUser>
          rows={data?.data}
          getHref={mayReadUsers && ((user) => `/users/${user.id}/access`)}
          getName={formatUserName}
        />
      )}
      {more > 0 && <p className="hint">{t('more', { count: number(more) })}</p>}
    </Card>
  )
}
