import { Fragment, useEffect, useState } from 'react'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segments.tsx'
import { type Application, toGuideValues } from './application.ts'
import { findLocalSetup, type Guide, type GuideValues } from './guides/guide.ts'
import { findKind } from './kinds.ts'
import { guidePhrases } from './phrases.ts'

const issuer = `${apiOrigin}/oidc`

/**
 * Shows how the application signs users in with the chosen library, using the application's own id and URLs.
 */
export function GuidePage({ application }: { application: Application }) {
  const t = useT(guidePhrases)
  const guides = useGuides(application)
  const [chosenId, choose] = useState<string | null>(null)
  if (!guides) return <Loading />
  const guide = guides.find(({ id }) => id === chosenId) ?? guides[0]
  const values = toGuideValues(application, issuer)
  const [redirectUri] = application.oidcClientMetadata.redirectUris
  const facts = [
    ['clientId', values.clientId],
    ['issuer', issuer],
    ...(redirectUri === undefined ? [] : [['redirectUri', redirectUri] as const]),
  ] as const
  return (
    <Card title={t('title')} lead={t('lead')}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{t(name)}</dt>
            <dd>
              <Copyable label={t(name)} value={value} isBare />
            </dd>
          </Fragment>
        ))}
      </dl>
      {guides.length > 1 && (
        <SegmentedControl
          label={t('library')}
          value={guide?.id ?? ''}
          options={guides.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={choose}
        />
      )}
      {guide && <Steps key={guide.id} guide={guide} values={values} />}
    </Card>
  )
}

/**
 * Returns the guides for the kind of application. Their code is loaded when the first guide is shown. If loading
 * fails, the page shows an error (`ui/page-boundary.tsx`).
 */
function useGuides(application: Application): readonly Guide[] | undefined {
  const [all, setAll] = useState<readonly Guide[] | Error | null>(null)
  useEffect(() => {
    import('./guides/index.ts').then(({ guides }) => setAll(guides), setAll)
  }, [])
  if (all instanceof Error) throw all
  return all?.filter(({ kinds }) => kinds.includes(findKind(application)))
}

function Steps({ guide, values }: { guide: Guide; values: GuideValues }) {
  const t = useT(guidePhrases)
  const { install, files, run, opens, library } = guide
  const elsewhere = findLocalSetup(guide, values)
  return (
    <div className="guide">
      {install && <Copyable label={t('install')} value={install} isBlock />}
      {Object.entries(files(values)).map(([name, code]) => (
        <Copyable key={name} label={name} value={code} isBlock />
      ))}
      {run && <Copyable label={t('run')} value={run(values)} isBlock />}
      {opens && (
        <p>
          {t('open')}{' '}
          <a href={opens(values)} target="_blank" rel="noreferrer">
            {opens(values)}
          </a>
        </p>
      )}
      {elsewhere && <p className="hint">{t('elsewhere', elsewhere)}</p>}
      <p>
        <a href={library} target="_blank" rel="noreferrer">
          {t('documentation')}
        </a>
      </p>
    </div>
  )
}
