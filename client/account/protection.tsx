import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import type { NextStep, Protection, ProtectionLevel, Protector } from '../../src/domain/account/protection.ts'
import type { PhraseKey } from '../context/phrases.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { useTexts } from './account-view.tsx'
import { AttentionIcon } from './icons.tsx'
import { Row } from './rows.tsx'

const levels = {
  weak: { score: 1, text: 'protection_weak' },
  fair: { score: 2, text: 'protection_fair' },
  strong: { score: 3, text: 'protection_strong' },
} as const satisfies Record<ProtectionLevel, { score: number; text: AccountPhraseKey }>

const protectors: Record<Protector, AccountPhraseKey> = {
  passkey: 'passkeys',
  twoStep: 'factors',
  backupCodes: 'codes',
  email: 'verified_email',
  phone: 'verified_phone',
}

type Text = AccountPhraseKey | PhraseKey
type Step = { text: Text; hint?: Text; action: Text; to: string }

const steps: Record<NextStep, Step> = {
  verifyEmail: { text: 'email_unverified', action: 'verify', to: '/account/email' },
  verifyPhone: { text: 'phone_unverified', action: 'verify', to: '/account/phone' },
  addPasskey: {
    text: 'no_passkeys',
    hint: 'vestibule.passkey_offer_hint',
    action: 'add',
    to: '/account/passkeys',
  },
  turnOnTwoStep: { text: 'no_factor', action: 'turn_on', to: '/account/factors' },
  renewCodes: { text: 'few_codes', action: 'new_codes', to: '/account/factors' },
  addEmail: {
    text: 'description.link_email',
    hint: 'description.link_email_description',
    action: 'add',
    to: '/account/email',
  },
  addPhone: {
    text: 'description.link_phone',
    hint: 'description.link_phone_description',
    action: 'add',
    to: '/account/phone',
  },
}

/** Shows how well the account is protected, by what, and what to do next (spec/account-centre#protection). */
export function ProtectionCard({ protection, codes }: { protection: Protection; codes: number }) {
  const t = useTexts()
  const { score, text } = levels[protection.level]
  return (
    <section className={`account-protection account-protection-${protection.level}`}>
      <div className="account-protection-level">
        <h2>
          {t('protection')} <strong>{t(text)}</strong>
        </h2>
        <div className="account-meter" aria-hidden="true">
          {[1, 2, 3].map((step) => (
            <span key={step} className={step <= score ? 'account-meter-full' : undefined} />
          ))}
        </div>
        {protection.protectors.length > 0 && (
          <ul className="account-protectors">
            {protection.protectors.map((protector) => (
              <li key={protector}>
                <CheckIcon />
                {t(protectors[protector])}
              </li>
            ))}
          </ul>
        )}
      </div>
      <ul className={`account-rows${protection.nextSteps.length === 0 ? ' account-done' : ''}`}>
        {protection.nextSteps.length === 0 && <Row icon={<CheckIcon />} title={t('all_well')} />}
        {protection.nextSteps.map((key) => {
          const { text, hint, action, to } = steps[key]
          return (
            <Row
              key={key}
              icon={<AttentionIcon />}
              title={<span id={`next-${key}`}>{t(text, { count: codes })}</span>}
              value={hint && t(hint)}
              end={
                <StepLink to={to} about={`next-${key}`}>
                  {t(action)}
                </StepLink>
              }
            />
          )
        })}
      </ul>
    </section>
  )
}

const StepLink = ({ to, about, children }: { to: string; about: string; children: ReactNode }) => (
  <a className="account-action" href={to} aria-describedby={about}>
    {children}
  </a>
)
