import { Link } from 'wouter'
import type { EntityForm } from '../../api/entity-form.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Checkbox } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { permissionKey } from '../access/permissions.ts'
import { isBuiltIn } from '../access/role-permissions.tsx'
import { type LinkedScopes, type Scope, withoutResource } from './scopes-access.ts'
import { templatePhrases } from './template-phrases.ts'

type Api = { id: string; name: string; scopes?: Scope[] }
type RoleScopesProps = { form: EntityForm<LinkedScopes>; mayWrite: boolean }

/** Edits the scopes of an organisation role. Scopes of built-in APIs cannot be part of one. */
export function RoleScopes({ form, mayWrite }: RoleScopesProps) {
  const t = useT(templatePhrases)
  const scopes = useApi<Omit<Scope, 'resourceId'>[]>('/organization-scopes', { query: { page_size: 100 } })
  const apis = useApi<Api[]>('/resources', { query: { includeScopes: true } })
  const { value } = form
  if (!value) return <Loading failure={form.failure} onRetry={form.retry} />
  if (!scopes.data) return <Loading failure={scopes.error} onRetry={scopes.refetch} />
  if (!apis.data) return <Loading failure={apis.error} onRetry={apis.refetch} />
  const groups = apis.data.data
    .filter(({ id, scopes: own = [] }) => !isBuiltIn(id) && own.length > 0)
    .map(({ id, name, scopes: own = [] }) => ({ id, title: t('scopesOf', { api: name }), scopes: own }))
  const organizationScopes = withoutResource(scopes.data.data)
  const box = (scope: Scope) => (
    <Checkbox
      key={scope.id}
      label={scope.name}
      hint={scope.description}
      isDisabled={!mayWrite}
      isSelected={value[permissionKey(scope)] === true}
      onChange={(isSelected) => form.change({ [permissionKey(scope)]: isSelected || null })}
    />
  )
  return (
    <Card title={t('scopes')} lead={t('scopesLead')}>
      {groups.map(({ id, title, scopes: own }) => (
        <fieldset key={id} className="group" disabled={!mayWrite}>
          <legend>{title}</legend>
          {own.map(box)}
        </fieldset>
      ))}
      {groups.length === 0 && (
        <p>
          {t('noApiScopes')} <Link href="/access/apis">{t('access')}</Link>
        </p>
      )}
      {organizationScopes.length > 0 ? (
        <fieldset className="group" disabled={!mayWrite}>
          <legend>{t('organizationScopes')}</legend>
          {organizationScopes.map(box)}
        </fieldset>
      ) : (
        <p>
          {t('noScopes')} <Link href="/organizations/~scopes">{t('newScope')}</Link>
        </p>
      )}
    </Card>
  )
}
