import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { SocialProfile } from '../../../src/contract/interactions/interaction.ts'
import type { ProfileRemark, SignInTest } from '../../../src/contract/social/sign-in-tests.schema.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/page.tsx'
import type { Connector } from './config.ts'
import { useConnectorName } from './mark.tsx'
import { findCause, findMissingIdentifiers, readProviderError } from './test-outcome.ts'
import { texts } from './test-phrases.ts'

type TestResultProps = {
  connector: Connector
  testId: string
  /**
   * Called if the provider let the user sign in but rejected the authorization code, usually because the secret is
   * wrong.
   */
  onCodeRejected: () => void
}

/** Shows the result of a test at the top of the page to which the provider returns. */
export default function TestResult({ connector, testId, onCodeRejected }: TestResultProps) {
  const t = useT(texts)
  const name = useConnectorName()(connector)
  const path = `/connectors/${connector.id}/sign-in-tests/${encodeURIComponent(testId)}`
  const { data: answer, error, refetch } = useApi<SignInTest>(path, { staleTime: Number.POSITIVE_INFINITY })
  const test = answer?.data
  const isCode = test?.status === 'refused' && findCause(test.error) === 'code'
  const reportRejectedCode = useEffectEvent(onCodeRejected)
  useEffect(() => {
    if (isCode) reportRejectedCode()
  }, [isCode])
  if (!test) {
    if (!error) return null
    const hasExpired = error instanceof ApiProblem && error.status === 404
    return hasExpired ? (
      <Outcome kind="bad" title={t('over')} lead={t('overLead')} />
    ) : (
      <Loading failure={error} onRetry={refetch} />
    )
  }
  switch (test.status) {
    case 'pending':
      return (
        <Outcome kind="open" title={t('pending')} lead={t('pendingLead', { name })}>
          <div className="actions">
            <Button onPress={() => refetch()}>{t('look')}</Button>
          </div>
        </Outcome>
      )
    case 'succeeded':
      return (
        <Outcome kind="good" title={t('succeeded', { name })}>
          <Profile profile={test.profile} remarks={test.remarks} connector={connector} />
        </Outcome>
      )
    case 'refused': {
      const cause = findCause(test.error)
      const providerError = readProviderError(test.error.data)
      return (
        <Outcome kind="bad" title={t('refused')} lead={t(cause, { name, code: test.error.code })}>
          {providerError && (
            <p>
              {t('said', {
                error: [providerError.error, providerError.description].filter(Boolean).join(': '),
              })}
            </p>
          )}
          <p>{t(`${cause}Do`, { name })}</p>
        </Outcome>
      )
    }
  }
}

type OutcomeProps = { kind: 'good' | 'bad' | 'open'; title: string; lead?: string; children?: ReactNode }

function Outcome({ kind, title, lead, children }: OutcomeProps) {
  return (
    <section className={`card outcome ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      {children}
    </section>
  )
}

const profileFields = ['id', 'email', 'phone', 'name', 'avatar'] as const

type ProfileProps = {
  profile: SocialProfile
  remarks: readonly ProfileRemark[]
  connector: Connector
}

/**
 * Lists the fields of the profile that the provider returned, and explains what they mean for users who sign up with
 * this connector.
 */
function Profile({ profile, remarks, connector }: ProfileProps) {
  const t = useT(texts)
  const name = useConnectorName()(connector)
  const { data } = useApi<SignInExperience>('/sign-in-exp', { isEnabled: useCan('experience:read') })
  const experience = data?.data
  const missing = experience && findMissingIdentifiers(profile, experience.signUp)
  return (
    <>
      <dl className="came-back">
        {profileFields.map((field) => (
          <div key={field}>
            <dt>{t(field)}</dt>
            <dd>
              {profile[field] ? <code>{profile[field]}</code> : <span className="hint">{t('notTold')}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <ul className="remarks">
        {missing?.length === 0 && <li>{t('complete')}</li>}
        {missing && missing.length > 0 && (
          <li>{t('asked', { missing: missing.map((type) => t(type)).join(', ') })}</li>
        )}
        {remarks.map((remark) => (
          <li key={remark}>{t(remark, { name })}</li>
        ))}
        {!profile.email && remarks.length === 0 && <li>{t('noEmail', { name })}</li>}
        {experience && !experience.socialSignInConnectorTargets.includes(connector.target) && (
          <li>{t('notShown')}</li>
        )}
      </ul>
    </>
  )
}
