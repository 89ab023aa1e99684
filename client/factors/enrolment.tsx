import { type ReactNode, useState } from 'react'
import { copyText } from '../browser/clipboard.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { QrCode } from './qr.tsx'

/** The parts of setting up an authenticator app, for the sign-in pages and the account centre. */

const steps = ['factor_step_scan', 'factor_step_confirm', 'factor_step_save'] as const

/** Shows how far the user is. `current` counts from 0. */
export function EnrolmentSteps({ current }: { current: number }) {
  const t = useT()
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === current ? 'step' : undefined}>
          {t(`vestibule.${step}`)}
        </li>
      ))}
    </ol>
  )
}

/**
 * Shows the secret of an app beside the form that confirms it. On the phone that has the app, a link that opens it
 * comes first, and the QR code is for another device (spec/pages#second-factor).
 */
export function NewAppSecret({
  secret,
  address,
  children,
}: {
  secret: string
  address: string
  children: ReactNode
}) {
  const t = useT()
  const isPhone = useBoot().platform === 'mobile'
  const qr = <QrCode text={address} label={t('vestibule.factor_qr')} />
  const open = (
    <ButtonLink kind="quiet" href={address}>
      {t('vestibule.factor_open_app')}
    </ButtonLink>
  )
  return (
    <div className="enrolment-frame">
      <div className={isPhone ? 'enrolment' : 'enrolment enrolment-wide'}>
        {isPhone ? open : <div className="enrolment-qr">{qr}</div>}
        <div>
          {!isPhone && <div className="enrolment-touch">{open}</div>}
          {!isPhone && <p className="factor-key">{t('vestibule.factor_key')}</p>}
          <div className="secret">
            <code className="factor-text" dir="ltr">
              {secret.match(/.{1,4}/g)?.join(' ')}
            </code>
            <CopyButton text={secret} label={t('vestibule.factor_copy_key')} />
          </div>
          {isPhone && (
            <details className="enrolment-other">
              <summary>{t('vestibule.factor_other_device')}</summary>
              {qr}
            </details>
          )}
          {isPhone && <p className="factor-key">{t('vestibule.factor_totp_hint')}</p>}
          {children}
        </div>
      </div>
    </div>
  )
}

/**
 * Copies a text. A tick in the button confirms it for a moment. In the account centre, a script does
 * the same (client/browser/account-code.ts).
 */
export function CopyButton({
  text,
  label,
  onCopied,
}: {
  text: string
  label: string
  onCopied?: () => void
}) {
  const t = useT()
  const [outcome, setOutcome] = useState<'copied' | 'uncopied' | null>(null)
  const copy = async () => {
    const isCopied = await copyText(text)
    setOutcome(isCopied ? 'copied' : 'uncopied')
    if (!isCopied) return
    onCopied?.()
    setTimeout(() => setOutcome(null), TICK_MS)
  }
  return (
    <>
      <button
        type="button"
        className="button button-quiet needs-script"
        data-copy={text}
        data-copied={t('vestibule.factor_codes_copied')}
        onClick={copy}
      >
        <span className="button-label">
          {outcome === 'copied' ? (
            <>
              <CheckIcon /> {t('vestibule.factor_codes_copied')}
            </>
          ) : (
            label
          )}
        </span>
      </button>
      <span className={outcome === 'uncopied' ? 'notice' : 'visually-hidden'} role="status">
        {outcome && t(`vestibule.factor_codes_${outcome}`)}
      </span>
    </>
  )
}

/** The time for which the tick is shown: long enough to be noticed, but not until the next step is done. */
const TICK_MS = 2_000
