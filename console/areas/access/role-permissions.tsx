import { Link } from 'wouter'
import type { z } from 'zod'
import type { ResourceWithScopes } from '../../../src/contract/access/resources.schema.ts'
import type { RoleScope } from '../../../src/contract/access/roles.schema.ts'
import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import { retryFailed, useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { canManage } from '../../session/authority.ts'
import { usePermissions } from '../../session/permissions.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

type Api = z.infer<typeof ResourceWithScopes>

/**
 * Edits the permissions of a role. Each checkbox is saved immediately, and a change takes effect with the next token.
 */
export function RolePermissions({ path, mayWrite }: { path: string; mayWrite: boolean }) {
  const t = useT(texts)
  const own = usePermissions().scopes
  const notify = useNotify()
  const change = useChange()
  const assignedScopes = useApi<z.infer<typeof RoleScope>[]>(`${path}/scopes`)
  const apis = useApi<Api[]>('/resources', { query: { includeScopes: true } })
  if (!assignedScopes.data || !apis.data)
    return (
      <Loading failure={assignedScopes.error ?? apis.error} onRetry={retryFailed(assignedScopes, apis)} />
    )
  const ids = new Set(assignedScopes.data.data.map(({ id }) => id))
  const choose = async (scopeId: string, isSelected: boolean) => {
    const invalidates = [`${path}/scopes`]
    try {
      if (isSelected) {
        await change(`${path}/scopes`, { method: 'POST', body: { scopeIds: [scopeId] }, invalidates })
      } else await change(`${path}/scopes/${scopeId}`, { method: 'DELETE', invalidates })
    } catch (failure) {
      notify.failure(failure)
    }
  }
  const withScopes = apis.data.data.filter(({ scopes = [] }) => scopes.length > 0)
  return (
    <Card title={t('permissions')} lead={t('rolePermissions')}>
      {apis.data.data.every(({ id }) => isBuiltIn(id)) && (
        <p>
          {t('noApis')} <Link href="/access/apis">{t('apis')}</Link>
        </p>
      )}
      {withScopes.map(({ id, name, scopes = [] }) => (
        <fieldset key={id} className="group" disabled={!mayWrite}>
          <legend>{t('assign', { api: name })}</legend>
          {scopes.map((scope) => (
            <Checkbox
              key={scope.id}
              label={scope.name}
              hint={scope.description}
              isDisabled={!mayWrite || !canManage(own, [scope])}
              isSelected={ids.has(scope.id)}
              onChange={(isSelected) => choose(scope.id, isSelected)}
            />
          ))}
        </fieldset>
      ))}
    </Card>
  )
}

/** Whether the API belongs to the product (spec/management#internal-resources). */
export const isBuiltIn = (id: string): boolean => id === MANAGEMENT_RESOURCE.id || id === SERVICES_RESOURCE.id
