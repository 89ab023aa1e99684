import { useState } from 'react'
import type { z } from 'zod'
import type { FactorsSchema } from '../../../src/contract/factors/factors.schema.ts'
import type { PasskeySchema } from '../../../src/contract/passkeys/passkeys.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { DialogButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { Table } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'
import type { ManagedUser } from './profile.ts'
import { RemovableList, useRemoveEntity } from './removable-list.tsx'

type Passkey = z.infer<typeof PasskeySchema>
type Factors = z.infer<typeof FactorsSchema>

/** Shows the password, the second factors and the linked accounts of a user. */
export default function Security({ user }: { user: ManagedUser }) {
  const t = useT(texts)
  const { date, time } = useFormats()
  const mayWrite = useCan('users:write')
  const path = `/users/${encodeURIComponent(user.id)}`
  return (
    <>
      <Card
        title={t('password')}
        lead={t('passwordLead')}
        actions={
          mayWrite && (
            <DialogButton text={t('setPassword')}>
              {(close) => <SetPassword path={path} onClose={close} />}
            </DialogButton>
          )
        }
      >
        {null}
      </Card>
      <SecondFactors path={path} />
      <RemovableList<Passkey>
        title={t('passkeysAndKeys')}
        path={`${path}/passkeys`}
        keyOf={({ id }) => id}
        nameOf={({ name, createdAt }) => name ?? date(createdAt)}
        empty={t('noPasskeys')}
        action={t('remove')}
        consequence={t('passkeyLead')}
        columns={[
          { title: t('name'), cell: ({ name, createdAt }) => name ?? date(createdAt) },
          { title: t('kind'), cell: ({ isSecondFactor }) => t(isSecondFactor ? 'securityKey' : 'passkey') },
          { title: t('added'), cell: ({ createdAt }) => date(createdAt), isHiddenOnPhones: true },
          { title: t('lastUsed'), cell: ({ lastUsedAt }) => (lastUsedAt ? time(lastUsedAt) : t('never')) },
        ]}
      />
      <Identities user={user} />
    </>
  )
}

function SecondFactors({ path }: { path: string }) {
  const t = useT(texts)
  const { date } = useFormats()
  const mayWrite = useCan('users:write')
  const { data, error, refetch } = useApi<Factors>(`${path}/factors`)
  if (!data) return <Loading failure={error} onRetry={refetch} />
  const { totp, backupCodesLeft, passkeys } = data.data
  const hasAny = totp !== null || backupCodesLeft > 0 || passkeys > 0
  return (
    <Card
      title={t('factors')}
      actions={
        mayWrite &&
        hasAny && (
          <DialogButton text={t('resetFactors')}>
            {(close) => <ResetFactors path={path} hasPasskeys={passkeys > 0} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <dl className="facts">
        <dt>{t('totp')}</dt>
        <dd>{totp ? t('since', { date: date(totp.createdAt) }) : t('no')}</dd>
        <dt>{t('backupCodes')}</dt>
        <dd>{t('codesLeft', { count: backupCodesLeft })}</dd>
      </dl>
    </Card>
  )
}

/** Lists the user's linked accounts at other providers. */
function Identities({ user }: { user: ManagedUser }) {
  const t = useT(texts)
  const mayWrite = useCan('users:write')
  const remove = useRemoveEntity()
  const path = `/users/${encodeURIComponent(user.id)}`
  const rows = Object.entries(user.identities).map(([target, identity]) => ({ target, ...identity }))
  const [removal, question] = useRemovalColumn<(typeof rows)[number]>({
    action: t('unlink'),
    label: ({ target }) => `${t('unlink')}: ${target}`,
    lead: t('unlinkLead'),
    onConfirm: ({ target }) =>
      remove(`${path}/identities/${encodeURIComponent(target)}`, [path], t('removed')),
  })
  return (
    <Card title={t('identities')}>
      <Table
        label={t('identities')}
        rows={rows}
        keyOf={({ target }) => target}
        empty={<p>{t('noIdentities')}</p>}
        columns={[
          { title: t('provider'), cell: ({ target }) => target },
          {
            title: t('accountThere'),
            cell: ({ userId, details }) => details?.email ?? details?.name ?? userId,
          },
          ...(mayWrite ? [removal] : []),
        ]}
      />
      {question}
    </Card>
  )
}

type Props = { path: string; hasPasskeys: boolean; onClose: () => void }

/** Resets the second factors of a user who has lost them. */
function ResetFactors({ path, hasPasskeys, onClose }: Props) {
  const t = useT(texts)
  const remove = useRemoveEntity()
  const [withPasskeys, setWithPasskeys] = useState(false)
  return (
    <ConfirmDialog
      title={t('resetFactors')}
      lead={
        <>
          {t('resetFactorsLead')}
          {hasPasskeys && (
            <Checkbox label={t('alsoPasskeys')} isSelected={withPasskeys} onChange={setWithPasskeys} />
          )}
        </>
      }
      action={t('resetFactors')}
      onClose={onClose}
      onConfirm={() =>
        remove(`${path}/factors${withPasskeys ? '?passkeys=true' : ''}`, [path], t('factorsReset'))
      }
    />
  )
}

/**
 * Sets a password. The typed password isn't stored as a draft and would be lost during a sign-in, so administrators
 * whose sign-in is old have to sign in again first.
 */
function SetPassword({ path, onClose }: { path: string; onClose: () => void }) {
  const t = useT(texts)
  const notify = useNotify()
  const change = useChange()
  const [password, setPassword] = useState('')
  const save = async () => {
    await change(`${path}/password`, { method: 'PATCH', body: { password }, invalidates: [path] })
    notify.success(t('passwordSet'))
    onClose()
  }
  return (
    <Dialog title={t('setPassword')} onClose={onClose}>
      <RequireStepUp>
        <DialogForm
          action={t('setPassword')}
          isIncomplete={password === ''}
          fields={['password']}
          onSubmit={save}
          onClose={onClose}
        >
          {(problems) => (
            <TextField
              label={t('password')}
              type="password"
              autoComplete="new-password"
              hint={t('setPasswordHint')}
              value={password}
              problem={problems.password}
              onChange={setPassword}
            />
          )}
        </DialogForm>
      </RequireStepUp>
    </Dialog>
  )
}
