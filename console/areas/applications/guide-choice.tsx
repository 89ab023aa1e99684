import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Loading } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segments.tsx'
import type { Guide, GuideValues, Sample } from './guides/sample.ts'
import { guidePhrases } from './phrases.ts'

/**
 * Lets the user choose a library, and shows its guide with the given values. The guides are loaded when the first one
 * is shown. If loading fails, the page shows an error (`ui/page-boundary.tsx`).
 */
export function GuideChoice({ kind, values }: { kind: Sample['kinds'][number]; values: GuideValues }) {
  const t = useT(guidePhrases)
  const [loaded, setLoaded] = useState<typeof import('./guides/index.ts') | Error | null>(null)
  const [chosenId, choose] = useState<string | null>(null)
  useEffect(() => {
    import('./guides/index.ts').then(setLoaded, setLoaded)
  }, [])
  if (loaded instanceof Error) throw loaded
  if (!loaded) return <Loading />
  const guides = loaded.findGuides(kind, values)
  const guide = guides.find(({ id }) => id === chosenId) ?? guides[0]
  return (
    <>
      {guides.length > 1 && (
        <SegmentedControl
          label={t('library')}
          value={guide?.id ?? ''}
          options={guides.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={choose}
        />
      )}
      {guide && <Steps key={guide.id} guide={guide} />}
    </>
  )
}

function Steps({ guide }: { guide: Guide }) {
  const t = useT(guidePhrases)
  const { setup, install, files, run, opens, library, unregistered, localSetup } = guide
  if (guide.lacksApi)
    return (
      <p>
        {t('lacksApi')} <Link href="/access/apis?new">{t('createApi')}</Link>
      </p>
    )
  return (
    <div className="guide">
      {!guide.isExecuted && <p className="hint">{t('notExecuted')}</p>}
      {unregistered && <p className="hint">{t('unregistered', { uri: unregistered })}</p>}
      {setup && <Copyable label={t('setup')} value={setup} isBlock />}
      {install && <Copyable label={t('install')} value={install} isBlock />}
      {Object.entries(files).map(([name, code]) => (
        <Copyable key={name} label={name} value={code} isBlock />
      ))}
      {run && <Copyable label={t('run')} value={run} isBlock />}
      {opens && (
        <p>
          {t('open')}{' '}
          <a href={opens} target="_blank" rel="noreferrer">
            {opens}
          </a>
        </p>
      )}
      {localSetup && <p className="hint">{t('elsewhere', localSetup)}</p>}
      <p>
        <a href={library} target="_blank" rel="noreferrer">
          {t('documentation')}
        </a>
      </p>
    </div>
  )
}
