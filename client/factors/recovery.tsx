import { maskIdentifier } from '../../src/domain/masking.ts'
import { useBoot, useCurrentPage, useInteractionPath, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import { StepFrame } from '../layout/frame.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { AccountChip } from './proof-frame.tsx'
import { isUnusualSignIn, linkToFactorOption, readFactorOptions } from './ways.ts'

/**
 * The page for users who can use none of their second factors (spec/pages#recovery). It says what may still help, whom
 * to ask, what to tell them and what will happen. It changes nothing by itself (ADR-0175).
 */
export function RecoveryPage() {
  const t = useT()
  const { search } = useCurrentPage()
  const { experience, origin } = useBoot()
  const brand = experience.branding.name ?? new URL(origin).host
  return (
    <StepFrame
      title={t('vestibule.recovery_title')}
      description={
        <>
          <AccountChip />
          <span className="recovery-lead">{t('vestibule.recovery_lead')}</span>
        </>
      }
    >
      <div className="recovery">
        <Hints />
        <h2>{t('vestibule.recovery_ask', { brand })}</h2>
        <Request />
        <p>{t('vestibule.recovery_secret')}</p>
        <h2>{t('vestibule.recovery_next')}</h2>
        <ol>
          <li>{t('vestibule.recovery_check')}</li>
          <li>{t('vestibule.recovery_reset')}</li>
          <li>{t('vestibule.recovery_after')}</li>
        </ol>
        <p className="aside">
          <FactorLink to={`/second-factor/choose${queryWithoutInteraction(search)}`}>
            {t('vestibule.factor_other')}
          </FactorLink>
        </p>
      </div>
    </StepFrame>
  )
}

/** Reminds the user of what they may have forgotten: backup codes, and a browser that is not asked. */
function Hints() {
  const t = useT()
  const { search } = useCurrentPage()
  const { rememberDays } = useBoot().experience
  const hasCodes = readFactorOptions(search).includes('backupCode')
  // An unusual sign-in is asked even in a remembered browser.
  const mayBeRemembered = rememberDays !== 0 && !isUnusualSignIn(search)
  if (!hasCodes && !mayBeRemembered) return null
  return (
    <ul>
      {hasCodes && (
        <li>
          <FactorLink to={linkToFactorOption('backupCode', search)}>
            {t('vestibule.recovery_codes')}
          </FactorLink>
        </li>
      )}
      {mayBeRemembered && <li>{t('vestibule.recovery_browser')}</li>}
    </ul>
  )
}

/** Links to another page of second factors, as a new document, because this one lacks the phrases of the others. */
function FactorLink({ to, children }: { to: string; children: string }) {
  const address = useInteractionPath()
  return (
    <a className="link" href={address(to)}>
      {children}
    </a>
  )
}

/**
 * Tells the user how to reach the people who run the service, and what to tell them. The reference finds the
 * interaction in the audit log, which shows that its user proved the first factor.
 */
function Request() {
  const t = useT()
  const { navigation } = useCurrentPage()
  const { interaction } = useBoot()
  const { account, requestedAt } = navigation?.secondFactor ?? {}
  // The user may have typed the account in full, but the people who read the request need not see it.
  const facts = [
    { name: t('vestibule.recovery_account'), value: account && maskIdentifier(account) },
    { name: t('vestibule.recovery_time'), value: requestedAt && utcTime(requestedAt) },
    { name: t('vestibule.recovery_reference'), value: interaction },
  ].filter((fact): fact is Fact => Boolean(fact.value))
  return (
    <>
      {facts.length > 0 && (
        <>
          <p>{t('vestibule.recovery_tell')}</p>
          <dl>
            {facts.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <SupportLink
        className="button button-primary"
        mail={facts.map(({ name, value }) => `${name}: ${value}`).join('\r\n')}
      />
    </>
  )
}

type Fact = { name: string; value: string }

/** A time that both the server and the browser write in the same way, and everyone reads in the same way. */
const utcTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
