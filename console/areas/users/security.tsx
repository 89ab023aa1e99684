import type { z } from 'zod'
import type { FactorsSchema } from '../../../src/contract/factors/factors.schema.ts'
import type { PasskeySchema } from '../../../src/contract/passkeys/passkeys.schema.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { Identities } from './identities.tsx'
import { texts } from './phrases.ts'
import type { ManagedUser } from './profile.ts'
import { RemovableList } from './removable-list.tsx'
import { ResetFactors } from './reset-factors.tsx'
import { SetPassword } from './set-password.tsx'

type Passkey = z.infer<typeof PasskeySchema>
type Factors = z.infer<typeof FactorsSchema>

/** What the user proves the account with. */
export function Security({ user }: { user: ManagedUser }) {
  const t = useT(texts)
  const { date, time } = useFormats()
  const mayWrite = useMay('users:write')
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
  const mayWrite = useMay('users:write')
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
