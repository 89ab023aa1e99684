import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ConfirmButton } from '../../ui/dialog-button.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Select } from '../../ui/fields.tsx'
import type { Application } from './application.ts'

const DAY_SECONDS = 86_400
/** The choices for how long the previous secret is accepted, in seconds. */
const periods = {
  immediately: 0,
  hour: DAY_SECONDS / 24,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 30 * DAY_SECONDS,
}
type Period = keyof typeof periods
const periodNames = Object.keys(periods) as Period[]

/**
 * Lists the secrets of an application by their dates, and lets the operator replace the current one and revoke the
 * previous one (spec/console#application-secrets).
 */
export default function SecretRotation({
  application: { id, secretCreatedAt, previousSecret },
  mayReplace,
  onRotated,
}: {
  application: Application
  mayReplace: boolean
  onRotated: (secret: string) => void
}) {
  const t = useT(rotationPhrases)
  const { time } = useFormats()
  const change = useChange()
  const [isOpen, setOpen] = useState(false)
  const path = `/applications/${id}`
  const revoke = () => change(`${path}/previous-secret`, { method: 'DELETE', invalidates: [path] })
  const rotate = async (previousSecretTtl: number) => {
    const { data } = await change<{ secret: string }>(`${path}/secret`, {
      method: 'POST',
      body: { previousSecretTtl },
      invalidates: [path],
    })
    onRotated(data.secret)
  }
  return (
    <>
      <dl className="facts">
        <dt>{t('current')}</dt>
        <dd>{secretCreatedAt === null ? '–' : t('createdAt', { time: time(secretCreatedAt) })}</dd>
        {previousSecret && (
          <>
            <dt>{t('previous')}</dt>
            <dd>{t('acceptedUntil', { time: time(previousSecret.expiresAt) })}</dd>
          </>
        )}
      </dl>
      <div className="actions">
        {previousSecret && (
          <ConfirmButton
            text={t('revoke')}
            title={t('revokeTitle')}
            lead={t('revokeLead')}
            onConfirm={revoke}
          />
        )}
        {mayReplace && <Button onPress={() => setOpen(true)}>{t('newSecret')}</Button>}
      </div>
      {isOpen && <RotationDialog onRotate={rotate} onClose={() => setOpen(false)} />}
    </>
  )
}

function RotationDialog({
  onRotate,
  onClose,
}: {
  onRotate: (previousSecretTtl: number) => Promise<void>
  onClose: () => void
}) {
  const t = useT(rotationPhrases)
  const [period, setPeriod] = useState<Period>('day')
  return (
    <Dialog title={t('newSecret')} onClose={onClose}>
      <DialogForm
        action={t('rotateAction')}
        onClose={onClose}
        onSubmit={async () => {
          await onRotate(periods[period])
          onClose()
        }}
      >
        {() => (
          <>
            <Select
              label={t('previousEnds')}
              hint={t(period === 'immediately' ? 'endsNow' : 'endsLater')}
              value={period}
              options={periodNames.map((value) => ({ value, label: t(value) }))}
              onChange={setPeriod}
            />
            <p>{t('tokensStay')}</p>
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}

const rotationPhrases = phrases({
  en: {
    current: 'Current secret',
    previous: 'Previous secret',
    createdAt: 'Created {time}',
    acceptedUntil: 'Accepted until {time}',
    previousEnds: 'When the current secret stops working',
    immediately: 'Immediately',
    hour: 'In an hour',
    day: 'In a day',
    week: 'In 7 days',
    month: 'In 30 days',
    endsNow: 'The application can’t get tokens until it uses the new secret.',
    endsLater: 'Until then, the application can use either secret.',
    tokensStay: 'Tokens that we’ve already issued stay valid.',
    rotateAction: 'Replace the secret',
    revoke: 'Revoke now',
    revokeTitle: 'Revoke the previous secret?',
    revokeLead: 'Instances of the application that still use it can’t get any more tokens.',
  },
  de: {
    current: 'Aktuelles Secret',
    previous: 'Vorheriges Secret',
    createdAt: 'Erstellt: {time}',
    acceptedUntil: 'Gültig bis {time}',
    previousEnds: 'Das aktuelle Secret endet',
    immediately: 'Sofort',
    hour: 'In einer Stunde',
    day: 'In einem Tag',
    week: 'In 7 Tagen',
    month: 'In 30 Tagen',
    endsNow: 'Die Anwendung erhält keine Tokens, bis sie das neue Secret verwendet.',
    endsLater: 'Die Anwendung kann bis dahin beide Secrets verwenden.',
    tokensStay: 'Bereits ausgestellte Tokens bleiben gültig.',
    rotateAction: 'Secret ersetzen',
    revoke: 'Jetzt widerrufen',
    revokeTitle: 'Vorheriges Secret widerrufen?',
    revokeLead: 'Wo die Anwendung es noch verwendet, erhält sie keine Tokens mehr.',
  },
})
