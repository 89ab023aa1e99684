import type { ReactNode } from 'react'
import type { ConsentQuestion } from '../../src/contract/boot.ts'
import { useT } from '../app/boot.tsx'
import type { PhraseKey } from '../app/phrases.ts'
import { JourneyForm } from '../forms/journey-form.tsx'
import { LandingFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { withLink } from '../ui/rich-text.tsx'

/** What an application of a third party asks for, and the two answers (spec/pages#consent). */
export function ConsentForm({ question }: { question: ConsentQuestion }) {
  const t = useT()
  const { application, destination, account } = question
  return (
    <LandingFrame title={withLink(t('vestibule.consent_question'), <bdi>{application.name}</bdi>)}>
      <Party picture={application.logo}>
        <bdi className="strong">{application.name}</bdi>
        <bdi dir="ltr">{destination}</bdi>
      </Party>
      <Party picture={account.avatar}>
        <span>{withLink(t('vestibule.consent_account'), <bdi className="strong">{account.label}</bdi>)}</span>
      </Party>
      <h2 className="consent-heading">{t('vestibule.consent_list')}</h2>
      <AskedFor question={question} />
      <JourneyForm>
        {() => (
          <>
            <Button name="decision" value="allow">
              {t('vestibule.consent_allow')}
            </Button>
            <Button kind="quiet" name="decision" value="deny">
              {t('action.cancel')}
            </Button>
          </>
        )}
      </JourneyForm>
    </LandingFrame>
  )
}

/** The picture is beside a text that says the same. */
function Party({ picture, children }: { picture: string | null; children: ReactNode }) {
  return (
    <p className="consent-party">
      {picture && <img className="consent-picture" src={picture} alt="" width={40} height={40} />}
      <span className="consent-words">{children}</span>
    </p>
  )
}

function AskedFor({ question: { scopes, resources } }: { question: ConsentQuestion }) {
  const t = useT()
  return (
    <ul className="consent-list">
      {scopes.map((scope) => (
        <li key={scope}>{isKnown(scope) ? t(scopePhrases[scope]) : scope}</li>
      ))}
      {resources.map((resource) => (
        <li key={resource.indicator}>
          {withLink(t('vestibule.consent_resource'), <bdi className="strong">{resource.name}</bdi>)}
          {resource.scopes.length > 0 && (
            <ul>
              {resource.scopes.map(({ name, description }) => (
                <li key={name}>
                  <bdi>{description ?? name}</bdi>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The scopes of the provider (spec/provider#scopes-and-claims). */
const scopePhrases = {
  openid: 'vestibule.consent_openid',
  profile: 'vestibule.consent_profile',
  email: 'vestibule.consent_email',
  phone: 'vestibule.consent_phone',
  custom_data: 'vestibule.consent_custom_data',
  identities: 'vestibule.consent_identities',
  offline_access: 'vestibule.consent_offline_access',
} as const satisfies Record<string, PhraseKey>

const isKnown = (scope: string): scope is keyof typeof scopePhrases => Object.hasOwn(scopePhrases, scope)
