import { type ReactNode, useRef } from 'react'
import { clearCode } from '../browser/code-boxes.ts'
import { receiveCode } from '../browser/text-message.ts'
import { CodeForm } from '../codes/code-form.tsx'
import { ResendForm } from '../codes/resend-form.tsx'
import { SentTo, sentCodePages } from '../codes/sent-code.tsx'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ShieldIcon } from '../ui/icons.tsx'
import { APP_CODE_FIELD, BACKUP_CODE_FIELD, validateBackupCode } from './journeys.ts'
import { FewBackupCodesNote, OtherFactorsLink } from './other-ways.tsx'
import { RememberBrowser } from './remember-browser.tsx'
import { isUnusualSignIn, linkToFactorOption } from './ways.ts'

/**
 * The pages that ask for a second factor. Each page links to the other factors below its form
 * (spec/pages#second-factor).
 */

function ProofFrame({
  title,
  description,
  icon,
  note,
  children,
}: {
  title?: string
  description?: ReactNode
  icon?: ReactNode
  /** The content between the form and the links to other factors. */
  note?: ReactNode
  children: ReactNode
}) {
  const t = useT()
  // Explains why this sign-in needs a second factor although the user's other sign-ins do not.
  const why = isUnusualSignIn(useCurrentPage().search) ? t('vestibule.factor_unusual') : undefined
  return (
    <StepFrame title={title ?? t('vestibule.factor_title')} description={description ?? why} icon={icon}>
      {children}
      {description && why && <p className="factor-note">{why}</p>}
      {note}
      <OtherFactorsLink />
    </StepFrame>
  )
}

export function AppCodePage() {
  const t = useT()
  return (
    <ProofFrame description={t('vestibule.factor_totp_hint')} icon={<ShieldIcon />}>
      <CodeForm name={APP_CODE_FIELD} startsFocused>
        <RememberBrowser />
      </CodeForm>
    </ProofFrame>
  )
}

/** Sends a code to the account's address when the user requests one, and then asks for it. */
export function AddressCodePage({ channel }: { channel: 'email' | 'phone' }) {
  const t = useT()
  const code = useRef<HTMLFieldSetElement>(null)
  const sent = useCurrentPage().navigation?.factorCode
  if (sent?.channel !== channel)
    return (
      <ProofFrame>
        <JourneyForm intent="resend" isMain>
          {() => <Button name="submit">{t(linkToFactorOption(channel, '').phrase)}</Button>}
        </JourneyForm>
      </ProofFrame>
    )
  const { title, icon } = sentCodePages[channel]
  return (
    <ProofFrame title={t(title)} description={<SentTo type={channel} target={sent.sentTo} />} icon={icon}>
      <CodeForm
        name={APP_CODE_FIELD}
        field={code}
        startsFocused
        receive={channel === 'phone' ? receiveCode : undefined}
      >
        <RememberBrowser />
      </CodeForm>
      {/* Clear the digits of the previous code. */}
      <ResendForm onSent={() => clearCode(code.current)} />
    </ProofFrame>
  )
}

export function BackupCodePage() {
  const t = useT()
  return (
    <ProofFrame description={t('vestibule.factor_backup_hint')} note={<FewBackupCodesNote />}>
      <JourneyForm validate={validateBackupCode}>
        {(problems) => (
          <>
            <Field
              name={BACKUP_CODE_FIELD}
              label={t('vestibule.factor_backup_code')}
              problem={problems[BACKUP_CODE_FIELD]}
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              dir="ltr"
              maxLength={32}
              required
            />
            <RememberBrowser />
            <Button name="submit">{t('action.continue')}</Button>
          </>
        )}
      </JourneyForm>
    </ProofFrame>
  )
}

/** Asks for a passkey or a security key. JavaScript is required. */
export function SecurityKeyPage() {
  const t = useT()
  return (
    <ProofFrame>
      <div className="needs-script">
        <JourneyForm>
          {() => (
            <>
              <RememberBrowser />
              <Button name="submit">{t('vestibule.factor_use_key')}</Button>
            </>
          )}
        </JourneyForm>
      </div>
      <p className="factor-note without-script">{t('vestibule.factor_use_script')}</p>
    </ProofFrame>
  )
}
