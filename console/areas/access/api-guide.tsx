import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { CopyableFacts } from '../../ui/copyable-facts.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { findGuideApi } from '../applications/application.ts'
import { GuideChoice } from '../applications/guide-choice.tsx'
import { guideTexts } from './api-guide-phrases.ts'
import { type Api, PERMISSIONS_ID } from './api-list.tsx'
import { useApiProgress } from './api-progress.ts'

const issuer = `${apiOrigin}/oidc`

/** Shows how to protect the API, from its first permission to a validated token (spec/console#protect-an-api). */
export default function ApiGuide({ api }: { api: Api }) {
  const t = useT(guideTexts)
  const { scopes, role, service, hasMachines, failure, isLoading, retry } = useApiProgress(api.id)
  const values = {
    issuer,
    clientId: service?.id ?? 'my-client-id',
    redirectUris: [],
    afterSignOut: [],
    api: findGuideApi([{ ...api, scopes }]),
  }
  const facts = [
    ['audience', api.indicator],
    ['issuer', issuer],
    ['jwks', `${issuer}/jwks`],
  ] as const
  return (
    <Card title={t('protect')} lead={t('protectLead')}>
      <CopyableFacts facts={facts.map(([name, value]) => ({ label: t(name), value }))} />
      {failure && <Loading failure={failure} onRetry={retry} />}
      {!failure && isLoading && <Loading />}
      {!isLoading && (
        <ol className="steps">
          <Step title={t('scopeStep')} isDone={scopes.length > 0}>
            {scopes[0] ? (
              <code>{scopes[0].name}</code>
            ) : (
              <>
                {t('noScope')} <a href={`#${PERMISSIONS_ID}`}>{t('addScope')}</a>
              </>
            )}
          </Step>
          <Step title={t('roleStep')} isDone={role !== null}>
            {role ? (
              <Link href={`/access/roles/${role.id}`}>{role.name}</Link>
            ) : (
              <>
                {t('noRole')} <Link href="/access">{t('toRoles')}</Link>
              </>
            )}
          </Step>
          <Step title={t('serviceStep')} isDone={service !== null}>
            {service && <Link href={`/applications/${service.id}`}>{service.name}</Link>}
            {!service && !hasMachines && (
              <>
                {t('noMachine')} <Link href="/applications/~new">{t('addMachine')}</Link>
              </>
            )}
            {!service && hasMachines && (
              <>
                {t('noService')}{' '}
                {role && <Link href={`/access/roles/${role.id}`}>{t('giveRole', { role: role.name })}</Link>}
              </>
            )}
          </Step>
          <Step title={t('requestStep')}>
            <p>{t('requestLead')}</p>
            {values.api && service ? <GuideChoice kind="machine" values={values} /> : <p>{t('notYet')}</p>}
          </Step>
          <Step title={t('validateStep')}>
            <p>{t('validateLead')}</p>
            {values.api ? <GuideChoice kind="api" values={values} /> : <p>{t('scopeFirst')}</p>}
          </Step>
        </ol>
      )}
    </Card>
  )
}

/** One step of the list. The console can't know whether the steps in the API's own code are done. */
function Step({ title, isDone, children }: { title: string; isDone?: boolean; children: ReactNode }) {
  const t = useT(guideTexts)
  return (
    <li>
      <h3>
        {title}{' '}
        {isDone !== undefined && (
          <span className={isDone ? 'tag good' : 'tag'}>{t(isDone ? 'stepDone' : 'stepOpen')}</span>
        )}
      </h3>
      <div className="step">{children}</div>
    </li>
  )
}
