import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { AdministratorInvitation } from '../../../src/contract/access/administrator-invitations.schema.ts'
import { ADMINISTRATOR_ROLES } from '../../../src/contract/access/management-scopes.ts'
import { call } from '../../api/client.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import type { AdministratorRoleId } from '../../session/authority.ts'
import { useCan } from '../../session/permissions.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { OneTimeDialog } from '../../ui/once-dialog.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { useRoleWords } from '../administrator-roles.ts'
import { formatUserName, type NamedUser } from '../users/name-of.ts'
import { AccessPage } from './access-page.tsx'
import { Links } from './links.tsx'
import { texts } from './phrases.ts'

// The card uses the form of the settings, so it is loaded after the page.
const AdministratorFactor = lazy(() => import('./administrator-factor.tsx'))

/** Lists the administrators by role, with what each role allows (spec/management#administrators). */
export function Administrators() {
  const t = useT(texts)
  const maySeeSettings = useCan('settings:read')
  const invite = useCan('all') && (
    <DialogButton kind="primary" text={t('inviteAdministrator')}>
      {(close) => <Invitation onClose={close} />}
    </DialogButton>
  )
  return (
    <AccessPage actions={invite}>
      {maySeeSettings && (
        <Suspense fallback={<Loading />}>
          <AdministratorFactor />
        </Suspense>
      )}
      {ADMINISTRATOR_ROLES.map(({ id }) => (
        <RoleCard key={id} id={id} />
      ))}
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

type CreatedInvitation = z.infer<typeof AdministratorInvitation>

function Invitation({ onClose }: { onClose: () => void }) {
  const t = useT(texts)
  const { time } = useFormats()
  const roles = useRoleWords()
  const [roleId, setRole] = useState<AdministratorRoleId>('read-only-role')
  const [email, setEmail] = useState('')
  const [invitation, setInvitation] = useState<CreatedInvitation | null>(null)
  const create = async () => {
    const body = { roleId, ...(email.trim() !== '' && { email: email.trim() }) }
    setInvitation(
      (await call<CreatedInvitation>('/administrator-invitations', { method: 'POST', body })).data,
    )
  }
  if (invitation)
    return (
      <OneTimeDialog title={t('inviteAdministrator')} onClose={onClose}>
        <p>{t('inviteMade', { time: time(invitation.expiresAt) })}</p>
        <Copyable label={t('inviteLink')} value={invitation.url} isBare />
      </OneTimeDialog>
    )
  return (
    <Dialog title={t('inviteAdministrator')} onClose={onClose}>
      <DialogForm action={t('inviteMake')} fields={['email']} onSubmit={create} onClose={onClose}>
        {(problems) => (
          <>
            <p>{t('inviteLead')}</p>
            <Select
              label={t('role')}
              hint={roles.lead(roleId)}
              value={roleId}
              options={ADMINISTRATOR_ROLES.map(({ id }) => ({ value: id, label: roles.title(id) }))}
              onChange={setRole}
            />
            <TextField
              label={t('email')}
              hint={t('emailHint')}
              type="email"
              value={email}
              problem={problems.email}
              onChange={setEmail}
            />
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
