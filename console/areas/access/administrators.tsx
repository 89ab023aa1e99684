import { useState } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { AdministratorInvitation } from '../../../src/contract/access/administrator-invitations.schema.ts'
import { ADMINISTRATOR_ROLES } from '../../../src/contract/access/management-scopes.ts'
import { call } from '../../api/client.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { OneTimeDialog } from '../../ui/once-dialog.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { formatUserName, type NamedUser } from '../users/name-of.ts'
import { AccessPage } from './access-page.tsx'
import { Links } from './links.tsx'
import { texts } from './phrases.ts'

type RoleId = (typeof ADMINISTRATOR_ROLES)[number]['id']

/** The console's name for each administrator role, and a description of what it allows. */
const roles = {
  'admin-role': { name: 'owner', lead: 'ownerLead' },
  'developer-role': { name: 'developer', lead: 'developerLead' },
  'support-role': { name: 'support', lead: 'supportLead' },
  'read-only-role': { name: 'readOnly', lead: 'readOnlyLead' },
} as const satisfies Record<RoleId, object>

/** Lists the administrators by role, with what each role allows (spec/management#administrators). */
export function Administrators() {
  const t = useT(texts)
  const invite = useCan('all') && (
    <DialogButton kind="primary" text={t('inviteAdministrator')}>
      {(close) => <Invitation onClose={close} />}
    </DialogButton>
  )
  return (
    <AccessPage actions={invite}>
      {ADMINISTRATOR_ROLES.map(({ id }) => (
        <RoleCard key={id} id={id} />
      ))}
    </AccessPage>
  )
}

const MAX_SHOWN = 20

function RoleCard({ id }: { id: RoleId }) {
  const t = useT(texts)
  const { number } = useFormats()
  const mayReadUsers = useCan('users:read')
  const { data, error, refetch } = useApi<NamedUser[]>(`/roles/${id}/users`, {
    query: { page_size: MAX_SHOWN },
  })
  const { name, lead } = roles[id]
  const more = (data?.total ?? 0) - (data?.data.length ?? 0)
  return (
    <Card
      title={t(name)}
      lead={t(lead)}
      actions={
        <Link className="button plain" href={`/access/roles/${id}`} aria-label={`${t('role')}: ${t(name)}`}>
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
  const [roleId, setRole] = useState<RoleId>('read-only-role')
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
              hint={t(roles[roleId].lead)}
              value={roleId}
              options={ADMINISTRATOR_ROLES.map(({ id }) => ({ value: id, label: t(roles[id].name) }))}
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
