import { useRef } from 'react'
import type { AddressFactor, UnsentReason } from '../../src/contract/interactions/interaction.ts'
import { clearCode } from '../browser/code-boxes.ts'
import { receiveCode } from '../browser/text-message.ts'
import { CodeForm } from '../codes/code-form.tsx'
import { ResendForm } from '../codes/resend-form.tsx'
import { useCurrentPage, useT } from '../context/boot.tsx'
import type { PhraseKey } from '../context/phrases.ts'
import { JourneyForm } from '../forms/journey-form.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { APP_CODE_FIELD, BACKUP_CODE_FIELD, validateBackupCode } from './journeys.ts'
import { FewBackupCodesNote, SendPhrase } from './other-ways.tsx'
import { ProofFrame } from './proof-frame.tsx'
import { RememberBrowser } from './remember-browser.tsx'
import { codePhrases, readFactorOptions } from './ways.ts'

/** The pages that ask for a second factor (spec/pages#second-factor). */

export function AppCodePage() {
  const t = useT()
  return (
    <ProofFrame lead={t('vestibule.factor_totp_hint')}>
      <CodeForm name={APP_CODE_FIELD} hasInitialFocus>
        <RememberBrowser />
      </CodeForm>
    </ProofFrame>
  )
}

/** Asks for the code that was sent to the account's address. Before that, offers to send one. */
export function AddressCodePage({ channel }: { channel: AddressFactor }) {
  const t = useT()
  const code = useRef<HTMLFieldSetElement>(null)
  const sent = useCurrentPage().navigation?.factorCode
  if (sent?.channel !== channel) return <CodeOffer channel={channel} />
  const lead = t(codePhrases[channel].sent, { target: sent.sentTo })
  return (
    <ProofFrame lead={lead}>
      <CodeForm
        name={APP_CODE_FIELD}
        field={code}
        hasInitialFocus
        receive={channel === 'phone' ? receiveCode : undefined}
      >
        <RememberBrowser />
      </CodeForm>
      {/* Clear the digits of the previous code. */}
      <ResendForm onSent={() => clearCode(code.current)} />
    </ProofFrame>
  )
}

function CodeOffer({ channel }: { channel: AddressFactor }) {
  const t = useT()
  const { navigation, search } = useCurrentPage()
  const { targets, unsent } = navigation?.secondFactor ?? {}
  const target = targets?.[channel]
  // Only a code to the preferred factor is sent without being asked.
  const problem = readFactorOptions(search)[0] === channel ? unsent : undefined
  const lead = problem ? t(unsentPhrases[problem]) : target && t(codePhrases[channel].lead, { target })
  return (
    <ProofFrame lead={lead}>
      <JourneyForm intent="resend" isMain>
        {() => (
          <Button name="submit">
            <SendPhrase channel={channel} />
          </Button>
        )}
      </JourneyForm>
    </ProofFrame>
  )
}

const unsentPhrases = {
  limit: 'vestibule.factor_too_many',
  failure: 'vestibule.code_not_sent',
} as const satisfies Record<UnsentReason, PhraseKey>

export function BackupCodePage() {
  const t = useT()
  return (
    <ProofFrame lead={t('vestibule.factor_backup_hint')} note={<FewBackupCodesNote />}>
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
    <ProofFrame lead={t('vestibule.factor_passkey_hint')}>
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
