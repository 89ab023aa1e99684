import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { describeAge } from '../../src/domain/relative-time.ts'
import { useBoot } from '../context/boot.tsx'
import { useTexts, useView } from './account-view.tsx'
import { useMomentFormatter } from './parts.tsx'

/** A time in relation to now, such as “2 hours ago”, with the exact time as its title. */
export function RelativeTime({ at }: { at: number }) {
  const { language } = useBoot()
  const t = useTexts()
  const { now, timeZone } = useView()
  const formatExact = useMomentFormatter()
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExact(at)}>
      {describeAge(at, { now, timeZone, languageTag: toStandardTag(language), justNow: t('just_now') })}
    </time>
  )
}
