import { Fragment } from 'react'
import type { ConsentQuestion, ConsentScopes } from '../../src/contract/interactions/boot.ts'
import { useBrokenImage } from '../browser/broken-image.ts'
import { useT } from '../context/boot.tsx'
import { AccountChip } from '../forms/account-chip.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { LandingFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'
import { Caution } from '../ui/caution.tsx'
import { DeviceIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { ConsentList, initialOf } from './consent-list.tsx'
import '../styles/chip.css'
import '../styles/disc.css'

/**
 * Shows what a third-party application or a device requests, and lets the user allow or deny it (spec/pages#consent).
 */
export function ConsentForm({ question }: { question: ConsentQuestion }) {
  const t = useT()
  const { application, account, asked, granted, unregistered, isSelfRegistered, device, organization } =
    question
  const hasGrants = hasAny(granted)
  return (
    <LandingFrame
      icon={device && <DeviceIcon />}
      title={withLink(
        t(device ? 'vestibule.consent_device_question' : 'vestibule.consent_question'),
        <Name>{application.name}</Name>,
      )}
      description={<AccountChip {...account} />}
    >
      <div className="consent">
        <Party question={question} />
        {organization !== null && (
          <p className="consent-notice consent-organization">
            {withLink(t('vestibule.consent_organization'), <bdi className="strong">{organization}</bdi>)}
          </p>
        )}
        {device && <DeviceDetails device={device} />}
        {unregistered && (
          <p className="consent-notice">
            {withLink(
              t('vestibule.consent_unregistered'),
              <bdi dir="ltr" className="strong">
                {unregistered.host}
              </bdi>,
            )}
          </p>
        )}
        {isSelfRegistered && <p className="consent-notice">{t('vestibule.consent_self_registered')}</p>}
        {unregistered?.isLocal && <p className="consent-notice">{t('vestibule.consent_local')}</p>}
        <h2 className="consent-heading">
          {t(hasGrants ? 'vestibule.consent_new_list' : 'vestibule.consent_list')}
        </h2>
        <ConsentList {...asked} />
        {hasGrants && (
          <div className="consent-granted">
            <h2 className="consent-heading">{t('vestibule.consent_known_list')}</h2>
            <ConsentList {...granted} />
          </div>
        )}
      </div>
      <JourneyForm>
        {() => (
          <>
            {device && <Caution>{t('vestibule.consent_device_warning')}</Caution>}
            <div className="consent-actions">
              <Button name="decision" value="allow">
                {t('vestibule.consent_allow')}
              </Button>
              <Button kind="quiet" name="decision" value="deny">
                {t('action.cancel')}
              </Button>
            </div>
          </>
        )}
      </JourneyForm>
    </LandingFrame>
  )
}

/** The name in the heading. A long one ends after three lines, because it also appears in full below. */
function Name({ children: name }: { children: string }) {
  const isLong = name.length > LONG_NAME
  return (
    <bdi className={isLong ? 'consent-name consent-long' : 'consent-name'} title={isLong ? name : undefined}>
      {name}
    </bdi>
  )
}

/** Shorter names take at most three lines, even on the smallest screens. */
const LONG_NAME = 40

/**
 * Shows which application asks for access and where the user will be redirected. The picture is decorative,
 * because the text beside it says the same.
 */
function Party({ question: { application, destination } }: { question: ConsentQuestion }) {
  const t = useT()
  const { logo, name, termsUrl, policyUrl } = application
  const { isBroken, image } = useBrokenImage(logo)
  return (
    <div className="consent-party">
      {logo && !isBroken ? (
        <img className="consent-picture" src={logo} alt="" width={40} height={40} {...image} />
      ) : (
        <span className="consent-picture consent-initial" aria-hidden="true">
          {initialOf(name)}
        </span>
      )}
      <span className="consent-words">
        <bdi className="strong consent-name">{name}</bdi>
        {/* Device authorization has no redirect URI. */}
        {destination && <bdi dir="ltr">{destination}</bdi>}
        {(termsUrl || policyUrl) && (
          <span className="consent-links">
            <OwnPage href={termsUrl}>{t('description.terms_of_use')}</OwnPage>
            <OwnPage href={policyUrl}>{t('description.privacy_policy')}</OwnPage>
          </span>
        )}
      </span>
    </div>
  )
}

/** Shows the code for comparison with the device, and in one line where, with what and when it was requested. */
function DeviceDetails({ device }: { device: NonNullable<ConsentQuestion['device']> }) {
  const t = useT()
  return (
    <dl className="consent-device">
      <div>
        <dt>{t('vestibule.consent_device_code')}</dt>
        <dd>
          <bdi dir="ltr" className="strong">
            {device.code}
          </bdi>
        </dd>
      </div>
      <div>
        <dt>{t('vestibule.consent_device_origin')}</dt>
        <dd>
          {device.origin.map((text, index) => (
            <Fragment key={text}>
              {index > 0 && ' · '}
              <bdi>{text}</bdi>
            </Fragment>
          ))}
        </dd>
      </div>
    </dl>
  )
}

/** Links to a page of the application. The link does not tell the application from which page the user comes. */
function OwnPage({ href, children }: { href: string | null; children: string }) {
  const t = useT()
  return (
    href && (
      <a className="link" href={href} target="_blank" rel="noopener noreferrer">
        {children}
        <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>
      </a>
    )
  )
}

const hasAny = ({ scopes, claims, resources }: ConsentScopes) =>
  scopes.length + claims.length + resources.length > 0
