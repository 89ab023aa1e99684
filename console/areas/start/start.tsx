import './start.css'
import { lazy, Suspense } from 'react'
import type { z } from 'zod'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import { retryFailed, useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { hasScope, useCan, usePermissions } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { FailureText } from '../connectors/failure.tsx'
import { PassedChecks } from './checked.tsx'
import { findCheckedParts, findMissingItems, type MissingItem, type StartFacts } from './lacks.ts'
import { missingItemPhrases, texts } from './phrases.ts'
import { UserNumbers } from './user-numbers.tsx'

// The card is shown until it is answered, so most visits don't need it.
const IdentifierCard = lazy(() => import('./identifier-card.tsx'))

export default function Start() {
  const t = useT(texts)
  const maySeeUsers = useCan('users:read')
  const mayAnswer = [useCan('experience:write'), useCan('settings:write')].every(Boolean)
  const { facts, isLoading, failure, retry } = useFacts()
  const { report, connectors } = facts
  return (
    <Page title={t('start')} lead={t('lead')}>
      {mayAnswer && report && connectors && (
        <Suspense>
          <IdentifierCard report={report} connectors={connectors} />
        </Suspense>
      )}
      {maySeeUsers && <UserNumbers />}
      {isLoading || failure ? <Loading failure={failure} onRetry={retry} /> : <MissingItems facts={facts} />}
    </Page>
  )
}

/** Reads the facts that the user has permission to read. */
function useFacts() {
  const [maySettings, mayConnectors] = [useCan('settings:read'), useCan('connectors:read')]
  const [mayApplications, mayExperience] = [useCan('applications:read'), useCan('experience:read')]
  const report = useApi<z.output<typeof DoctorReport>>('/configs/doctor', {
    isEnabled: maySettings,
    // Other pages fix what the report names, so it is read again at each visit.
    staleTime: 0,
  })
  const connectors = useApi<NonNullable<StartFacts['connectors']>>('/connectors', {
    isEnabled: mayConnectors,
  })
  const applications = useApi<unknown[]>('/applications', {
    query: { page: 1, page_size: 1 },
    isEnabled: mayApplications,
  })
  const experience = useApi<SignInExperience>('/sign-in-exp', { isEnabled: mayExperience })
  const all = [report, connectors, applications, experience]
  const facts: StartFacts = {
    report: report.data?.data ?? null,
    connectors: connectors.data?.data ?? null,
    applicationCount: applications.data?.total ?? null,
    experience: experience.data?.data ?? null,
    isLocal: /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(window.location.hostname),
  }
  return {
    facts,
    isLoading: all.some(({ isLoading }) => isLoading),
    failure: all.find(({ error }) => error)?.error ?? null,
    retry: retryFailed(...all),
  }
}

function MissingItems({ facts }: { facts: StartFacts }) {
  const t = useT(texts)
  const items = findMissingItems(facts)
  const now = items.filter(({ state }) => state === 'fail' || state === 'warn')
  const later = items.filter(({ state }) => state === 'later')
  const options = items.filter(({ state }) => state === 'option')
  const isChecked = Object.values(findCheckedParts(facts)).some(Boolean)
  return (
    <>
      <Card title={t('missing')}>
        {now.length > 0 && <MissingList items={now} />}
        {now.length === 0 && isChecked && <p className="all-good">{t('allGood')}</p>}
        <PassedChecks facts={facts} />
      </Card>
      {later.length > 0 && (
        <Card title={t('later')}>
          <MissingList items={later} />
        </Card>
      )}
      {options.length > 0 && (
        <Card title={t('options')}>
          <MissingList items={options} />
        </Card>
      )}
    </>
  )
}

function MissingList({ items }: { items: readonly MissingItem[] }) {
  const t = useT(texts, missingItemPhrases)
  const { time } = useFormats()
  const { scopes } = usePermissions()
  return (
    <ul className="lacks">
      {items.map((item) => (
        <li key={[item.name, item.detail, item.failure?.createdAt].join()} className="lack">
          <div>
            <h3>
              {t(item.name)} {item.state === 'fail' && <span className="tag bad">{t('error')}</span>}
            </h3>
            <p>{t(`${item.name}Why`)}</p>
            {item.detail && (
              <p className="hint" lang="en">
                {item.detail}
              </p>
            )}
            {item.failure && (
              <p className="hint">
                {time(item.failure.createdAt)}: <FailureText failure={item.failure} />
              </p>
            )}
            {item.kind === 'page' && item.needs && !hasScope(scopes, item.needs) && (
              <p className="hint">{t('notYours')}</p>
            )}
          </div>
          <FixAction item={item} />
        </li>
      ))}
    </ul>
  )
}

function FixAction({ item }: { item: MissingItem }) {
  const t = useT(texts, missingItemPhrases)
  const { scopes } = usePermissions()
  if (item.kind !== 'page')
    return <Copyable label={t(item.kind)} value={item.text} isBlock={item.text.includes('\n')} />
  if (item.needs && !hasScope(scopes, item.needs)) return null
  const kind = item.state === 'fail' ? 'primary' : 'plain'
  if (item.href.startsWith('/'))
    return (
      <ButtonLink href={item.href} kind={kind}>
        {t(`${item.name}Do`)}
      </ButtonLink>
    )
  return (
    <a className={`button ${kind}`} href={item.href} target="_blank" rel="noreferrer">
      {t(`${item.name}Do`)}
    </a>
  )
}
