import { lazy, Suspense } from 'react'
import type { z } from 'zod'
import type { RoleSchema } from '../../../src/contract/access/roles.schema.ts'
import { isInternalRole } from '../../../src/domain/access/administration.ts'
import { useEntityForm } from '../../api/entity-form.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { type AssignedScope, canManage } from '../../session/authority.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useFieldNames } from '../../ui/label-of.ts'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { policyPhrases, SecondFactorPolicyFields } from '../second-factor-policy.tsx'
import { formatUserName, type NamedUser } from '../users/name-of.ts'
import { Links } from './links.tsx'
import { type Permissions, permissionsAccess } from './permissions.ts'
import { texts } from './phrases.ts'
import { RolePermissions } from './role-permissions.tsx'

// This card is large, so it is loaded after the page.
const RoleServices = lazy(() => import('./role-services.tsx'))

type Role = z.infer<typeof RoleSchema>

export function RolePage({ id }: { id: string }) {
  const t = useT(texts)
  const nameOf = useFieldNames([texts, policyPhrases])
  const path = `/roles/${id}`
  const form = useEntityForm<Role>(path)
  const permissions = useEntityForm<Permissions>(`${path}/permissions`, { access: permissionsAccess(path) })
  const { mayWrite, mayLoosen, isAbove } = useAuthorityOver(path)
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const isInternal = isInternalRole(stored.name)
  const mayRename = mayWrite && !isInternal
  const fields = bindFields({
    value,
    problems: form.problem?.fields ?? {},
    isDisabled: !mayRename,
    change: form.change,
  })
  return (
    <Page
      title={stored.name}
      lead={isInternal ? t('internal') : undefined}
      parent={
        isInternal
          ? { href: '/access/administrators', title: t('administrators') }
          : { href: '/access', title: t('roles') }
      }
      actions={
        mayRename && (
          <DeleteButton
            title={t('deleteRole', { name: stored.name })}
            lead={t('deleteRoleLead')}
            confirmationText={stored.name}
            path={path}
            back="/access"
          />
        )
      }
    >
      {isAbove && <p className="hint">{t('isAbove')}</p>}
      <Card>
        <TextField label={t('name')} {...fields.text('name')} />
        <TextField label={t('description')} {...fields.text('description')} />
        <SecondFactorPolicyFields value={value} isDisabled={!mayLoosen} onChange={form.change} />
      </Card>
      <RolePermissions form={permissions} roleName={stored.name} mayWrite={mayRename} />
      <Members path={path} />
      <Suspense fallback={<Loading />}>
        <RoleServices role={stored} mayWrite={mayWrite} />
      </Suspense>
      <div className="save-bars">
        <SaveBar form={form} nameOf={nameOf} />
        <SaveBar
          form={permissions}
          nameOf={(key) => key.slice(key.indexOf('/') + 1)}
          about={t('permissions')}
        />
      </div>
    </Page>
  )
}

/**
 * Determines what the user may change about the role (spec/management#escalation). Until this is known, nothing can be
 * changed.
 */
function useAuthorityOver(path: string) {
  const { scopes } = usePermissions()
  const [isWriter, isOwner] = [useCan('roles:write'), useCan('all')]
  const assignedScopes = useApi<AssignedScope[]>(`${path}/scopes`).data?.data
  const isBelow = isOwner || (assignedScopes !== undefined && canManage(scopes, assignedScopes))
  return {
    mayWrite: isWriter && isBelow,
    // Only owners may loosen the policy of an administrator role, because the policy also applies to the administrators
    // themselves.
    mayLoosen: isWriter && (isOwner || (assignedScopes !== undefined && canManage([], assignedScopes))),
    isAbove: isWriter && assignedScopes !== undefined && !isBelow,
  }
}

/** Shows the latest users with the role. It is assigned and removed on the pages of the users. */
function Members({ path }: { path: string }) {
  const t = useT(texts)
  const mayReadUsers = useCan('users:read')
  const users = useApi<NamedUser[]>(`${path}/users`, NEWEST)
  return (
    <Card title={t('members')}>
      {users.error && !users.data && <Loading failure={users.error} onRetry={users.refetch} />}
      {users.data?.data.length === 0 ? (
        <p>{t('nobody')}</p>
      ) : (
        <Links<NamedUser>
          rows={users.data?.data}
          getHref={mayReadUsers && (({ id }) => `/users/${id}`)}
          getName={formatUserName}
        />
      )}
    </Card>
  )
}

const NEWEST = { query: { page_size: 20 } }
