import './start.css'
import type { z } from 'zod'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import { ADMIN_ROLE } from '../../../src/contract/product.ts'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import { retryFailed, useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { hasScope, useCan, usePermissions } from '../../session/permissions.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading, Page } from '../../ui/page.tsx'
import { PassedChecks } from './checked.tsx'
import { checkedParts, type Facts, findMissing, type MissingItem } from './lacks.ts'
import { missingTexts, texts } from './phrases.ts'
import { UserNumbers } from './user-numbers.tsx'

export default function Start() {
  const t = useT(texts)
  const maySeeUsers = useCan('users:read')
  const { facts, isLoading, failure, retry } = useFacts()
  return (
    <Page title={t('start')} lead={t('lead')}>
      {maySeeUsers && <UserNumbers />}
      {isLoading || failure ? <Loading failure={failure} onRetry={retry} /> : <MissingItems facts={facts} />}
    </Page>
  )
}

/** Reads what the user may read. */
function useFacts() {
  const [maySettings, mayConnectors] = [useCan('settings:read'), useCan('connectors:read')]
  const [mayApplications, mayExperience, mayRoles] = [
    useCan('applications:read'),
    useCan('experience:read'),
    useCan('roles:read'),
  ]
  const report = useApi<z.output<typeof DoctorReport>>('/configs/doctor', { isEnabled: maySettings })
  const connectors = useApi<NonNullable<Facts['connectors']>>('/connectors', { isEnabled: mayConnectors })
  const applications = useApi<unknown[]>('/applications', {
    query: { page: 1, page_size: 1 },
    isEnabled: mayApplications,
  })
  const experience = useApi<SignInExperience>('/sign-in-exp', { isEnabled: mayExperience })
  const role = useApi<NonNullable<Facts['administrators']>>(`/roles/${ADMIN_ROLE.id}`, {
    isEnabled: mayRoles,
  })
  const all = [report, connectors, applications, experience, role]
  const facts: Facts = {
    report: report.data?.data ?? null,
    connectors: connectors.data?.data ?? null,
    applicationCount: applications.data?.total ?? null,
    experience: experience.data?.data ?? null,
    administrators: role.data?.data ?? null,
    isLocal: /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(window.location.hostname),
  }
  return {
    facts,
    isLoading: all.some(({ isLoading }) => isLoading),
    failure: all.find(({ error }) => error)?.error ?? null,
    retry: retryFailed(...all),
  }
}

function MissingItems({ facts }: { facts: Facts }) {
  const t = useT(texts)
  const lacks = findMissing(facts)
  const now = lacks.filter(({ state }) => state === 'fail' || state === 'warn')
  const later = lacks.filter(({ state }) => state === 'later')
  const options = lacks.filter(({ state }) => state === 'option')
  const isChecked = Object.values(checkedParts(facts)).some(Boolean)
  return (
    <>
      <Card title={t('missing')}>
        {now.length > 0 && <MissingList lacks={now} />}
        {now.length === 0 && isChecked && <p className="all-good">{t('allGood')}</p>}
        <PassedChecks facts={facts} />
      </Card>
      {later.length > 0 && (
        <Card title={t('later')}>
          <MissingList lacks={later} />
        </Card>
      )}
      {options.length > 0 && (
        <Card title={t('options')}>
          <MissingList lacks={options} />
        </Card>
      )}
    </>
  )
}

function MissingList({ lacks }: { lacks: readonly MissingItem[] }) {
  const t = useT(texts, missingTexts)
  const { scopes } = usePermissions()
  return (
    <ul className="lacks">
      {lacks.map((lack) => (
        <li key={[lack.name, lack.detail].join()} className="lack">
          <div>
            <h3>
              {t(lack.name)} {lack.state === 'fail' && <span className="tag bad">{t('error')}</span>}
            </h3>
            <p>{t(`${lack.name}Why`)}</p>
            {lack.detail && (
              <p className="hint" lang="en">
                {lack.detail}
              </p>
            )}
            {lack.kind === 'page' && lack.needs && !hasScope(scopes, lack.needs) && (
              <p className="hint">{t('notYours')}</p>
            )}
          </div>
          <FixAction lack={lack} />
        </li>
      ))}
    </ul>
  )
}

function FixAction({ lack }: { lack: MissingItem }) {
  const t = useT(texts, missingTexts)
  const { scopes } = usePermissions()
  if (lack.kind !== 'page')
    return <Copyable label={t(lack.kind)} value={lack.text} isBlock={lack.text.includes('\n')} />
  if (lack.needs && !hasScope(scopes, lack.needs)) return null
  const kind = lack.state === 'fail' ? 'primary' : 'plain'
  if (lack.href.startsWith('/'))
    return (
      <ButtonLink href={lack.href} kind={kind}>
        {t(`${lack.name}Do`)}
      </ButtonLink>
    )
  return (
    <a className={`button ${kind}`} href={lack.href} target="_blank" rel="noreferrer">
      {t(`${lack.name}Do`)}
    </a>
  )
}
