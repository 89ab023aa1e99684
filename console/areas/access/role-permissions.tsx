import { useState } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { ResourceWithScopes } from '../../../src/contract/access/resources.schema.ts'
import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../../src/contract/product.ts'
import type { EntityForm } from '../../api/entity-form.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { canManage } from '../../session/authority.ts'
import { usePermissions } from '../../session/permissions.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { type Permissions, permissionKey } from './permissions.ts'
import { texts } from './phrases.ts'

type Api = z.infer<typeof ResourceWithScopes>
type Scope = NonNullable<Api['scopes']>[number]

type RolePermissionsProps = { form: EntityForm<Permissions>; roleName: string; mayWrite: boolean }

/** Edits the permissions of a role. A change takes effect with the next token. */
export function RolePermissions({ form, roleName, mayWrite }: RolePermissionsProps) {
  const t = useT(texts)
  const [pending, setPending] = useState<Scope | null>(null)
  const apis = useApi<Api[]>('/resources', { query: { includeScopes: true } })
  if (!form.value) return <Loading failure={form.failure} onRetry={form.retry} />
  if (!apis.data) return <Loading failure={apis.error} onRetry={apis.refetch} />
  const choose = (scope: Scope, isSelected: boolean) =>
    form.change({ [permissionKey(scope)]: isSelected || null })
  const permissions = form.value
  const withScopes = apis.data.data.filter(({ scopes = [] }) => scopes.length > 0)
  return (
    <Card title={t('permissions')} lead={t('rolePermissions')}>
      {apis.data.data.every(({ id }) => isBuiltIn(id)) && (
        <p>
          {t('noApis')} <Link href="/access/apis">{t('apis')}</Link>
        </p>
      )}
      {withScopes
        .filter(({ id }) => !isBuiltIn(id))
        .map(({ id, name, scopes = [] }) => (
          <fieldset key={id} className="group" disabled={!mayWrite}>
            <legend>{t('assign', { api: name })}</legend>
            <Scopes scopes={scopes} permissions={permissions} isDisabled={!mayWrite} onChange={choose} />
          </fieldset>
        ))}
      {withScopes
        .filter(({ id }) => isBuiltIn(id))
        .map(({ id, name, scopes = [] }) => (
          <BuiltInScopes
            key={id}
            title={t('assignBuiltIn', { api: name })}
            scopes={scopes}
            permissions={permissions}
            isDisabled={!mayWrite}
            onChange={(scope, isSelected) => (isSelected ? setPending(scope) : choose(scope, false))}
          />
        ))}
      {pending && (
        <ConfirmDialog
          title={t('askPermission', { permission: pending.name, role: roleName })}
          lead={[pending.description, t('askPermissionLead')].filter(Boolean).join('. ')}
          action={t('add')}
          onConfirm={() => choose(pending, true)}
          onClose={() => setPending(null)}
        />
      )}
    </Card>
  )
}

type ScopesProps = {
  scopes: readonly Scope[]
  permissions: Permissions
  isDisabled: boolean
  onChange: (scope: Scope, isSelected: boolean) => void
}

function Scopes({ scopes, permissions, isDisabled, onChange }: ScopesProps) {
  const { scopes: own } = usePermissions()
  return scopes.map((scope) => (
    <Checkbox
      key={scope.id}
      label={scope.name}
      hint={scope.description}
      isDisabled={isDisabled || !canManage(own, [scope])}
      isSelected={permissions[permissionKey(scope)] === true}
      onChange={(isSelected) => onChange(scope, isSelected)}
    />
  ))
}

/** The permissions of a built-in API, collapsed unless the role has one of them. */
function BuiltInScopes({ title, ...props }: ScopesProps & { title: string }) {
  const [isOpen] = useState(() => props.scopes.some((scope) => props.permissions[permissionKey(scope)]))
  return (
    <details className="more" open={isOpen}>
      <summary>{title}</summary>
      <Scopes {...props} />
    </details>
  )
}

/** Tells whether the API belongs to the product (spec/management#internal-resources). */
export const isBuiltIn = (id: string): boolean => id === MANAGEMENT_RESOURCE.id || id === SERVICES_RESOURCE.id
