import { lazy, Suspense } from 'react'
import { useEntityForm } from '../../api/entity-form.ts'
import { retryFailed, useApi, useChange } from '../../api/queries.ts'
import { NotFound } from '../../not-found.tsx'
import { useFormats, useT } from '../../phrases.ts'
import { type Authority, useCanManage } from '../../session/authority.ts'
import { useCan, usePermissions, WithoutScope } from '../../session/permissions.tsx'
import { readAuthTime } from '../../session/session.ts'
import { requireStepUp } from '../../session/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { DeleteButton } from '../../ui/dialog-button.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { HOLDER_ROLES_QUERY, type Role } from '../roles.ts'
import { useUserFieldNames } from './field-names.ts'
import { formatUserName } from './name-of.ts'
import { texts } from './phrases.ts'
import { type ManagedUser, toPatch, type UserForm } from './profile.ts'
import { ProfileForm } from './profile-form.tsx'
import { UserStatus } from './status.tsx'

const Access = lazy(() => import('./access.tsx'))
const Activity = lazy(async () => ({ default: (await import('../log/log-table.tsx')).LogTable }))
const Organizations = lazy(() => import('./organisations.tsx'))
const Security = lazy(() => import('./security.tsx'))
const Sessions = lazy(() => import('./sessions.tsx'))

const parts = ['profile', 'security', 'sessions', 'access', 'organizations', 'activity'] as const
type Part = (typeof parts)[number]

/** The page of one account. Each of its parts has its own URL and reads only the data that it shows. */
export default function UserPage({ id, part }: { id: string; part: string }) {
  const t = useT(texts)
  const mayRead = { activity: useCan('logs:read'), organizations: useCan('organizations:read') }
  const fieldName = useUserFieldNames()
  const path = `/users/${encodeURIComponent(id)}`
  const form = useEntityForm<ManagedUser>(path, { toPatch })
  const { canManage, failure, retry } = useAuthorityOver(path)
  const readable = parts.filter((each) => !(each in mayRead) || mayRead[each as keyof typeof mayRead])
  const openPart = readable.find((each) => each === part)
  if (!openPart) return <NotFound />
  if (!form.value || !form.stored) return <Loading failure={form.failure} onRetry={form.retry} />
  const user = form.stored
  return (
    <WithoutScope scope="users:write" when={canManage !== true}>
      <Page
        title={formatUserName(user)}
        lead={<UserStatus user={user} />}
        parent={{ href: '/users', title: t('users') }}
        actions={<UserActions user={user} />}
      >
        <Copyable label={t('userId')} value={id} />
        {canManage === false && <p className="hint">{t('isAbove')}</p>}
        {failure && <Loading failure={failure} onRetry={retry} />}
        <Tabs
          label={t('parts')}
          tabs={readable.map((each) => ({
            href: each === 'profile' ? `/users/${id}` : `/users/${id}/${each}`,
            title: t(each),
          }))}
        />
        <Suspense fallback={<Loading />}>
          <PartContent part={openPart} form={form} user={user} />
        </Suspense>
        <SaveBar form={form} isSetting={false} nameOf={fieldName} />
      </Page>
    </WithoutScope>
  )
}

/** Determines whether the operator may change the user, based on the user's roles. */
function useAuthorityOver(path: string): Authority {
  const isNeeded = [useCan('users:write'), !useCan('all')].every(Boolean)
  const roles = useApi<Role[]>(`${path}/roles`, { query: HOLDER_ROLES_QUERY, isEnabled: isNeeded })
  const roleAuthority = useCanManage(roles.data?.data.map(({ id }) => id))
  if (!isNeeded) return { ...roleAuthority, canManage: true, failure: null }
  return roles.data ? roleAuthority : { ...roleAuthority, failure: roles.error, retry: retryFailed(roles) }
}

function PartContent({ part, form, user }: { part: Part; form: UserForm; user: ManagedUser }) {
  switch (part) {
    case 'profile':
      return <ProfileForm form={form} />
    case 'security':
      return <Security user={user} />
    case 'sessions':
      return <Sessions userId={user.id} />
    case 'access':
      return <Access userId={user.id} />
    case 'organizations':
      return <Organizations userId={user.id} />
    case 'activity':
      return <Activity filter={{ userId: user.id }} />
  }
}

/** The actions that affect the whole account. A suspension can be undone, but a deletion can't. */
function UserActions({ user }: { user: ManagedUser }) {
  const t = useT(texts)
  const { date } = useFormats()
  const notify = useNotify()
  const change = useChange()
  const mayWrite = useCan('users:write')
  const { userId } = usePermissions()
  if (!mayWrite) return null
  const path = `/users/${encodeURIComponent(user.id)}`

  const suspend = (isSuspended: boolean) =>
    change(`${path}/is-suspended`, {
      method: 'PATCH',
      body: { isSuspended },
      invalidates: ['/users', '/roles'],
    })
  const toggle = async () => {
    await suspend(!user.isSuspended)
    notify.success(t(user.isSuspended ? 'isReinstated' : 'isSuspended'), async () => {
      // Only changes that give someone access require a recent sign-in.
      if (!user.isSuspended) requireStepUp(await readAuthTime(), t('reinstateOldSignIn'))
      await suspend(user.isSuspended)
    })
  }
  const keep = async () => {
    await change(`${path}/deletion`, { method: 'DELETE', invalidates: [path] })
    notify.success(t('isKept'))
  }

  const isSelf = user.id === userId
  return (
    <>
      {user.deletion && <Button onPress={keep}>{t('keep', { date: date(user.deletion.dueAt) })}</Button>}
      <Button onPress={toggle} isDisabled={isSelf}>
        {t(user.isSuspended ? 'reinstate' : 'suspend')}
      </Button>
      <DeleteButton
        isDisabled={isSelf}
        title={t('deleteTitle', { name: formatUserName(user) })}
        lead={t('deleteLead')}
        confirmationText={user.username ?? user.primaryEmail ?? user.id}
        path={path}
        back="/users"
        confirmation={t('isDeleted')}
        alsoChanged={['/roles']}
      />
    </>
  )
}
