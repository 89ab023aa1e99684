import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { ManagedByCode } from '../src/contract/tenants/managed-by-code.schema.ts'
import { DAY, HOUR, MINUTE } from '../src/contract/time.ts'
import { useApi } from './api/queries.ts'
import { phrases, useLanguage, useT } from './phrases.ts'
import { useCan } from './session/permissions.tsx'

const texts = phrases({
  en: {
    managed:
      'This tenant is managed by code (applied {ago}). The next apply will overwrite changes that you make here.',
    look: 'See whether settings have changed since then',
  },
  de: {
    managed:
      'Dieser Mandant wird durch Code verwaltet (angewendet {ago}). Änderungen hier überschreibt das nächste Anwenden.',
    look: 'Nachsehen, ob seitdem Einstellungen geändert wurden',
  },
})

type CodeState = z.output<typeof ManagedByCode>
type LastApply = CodeState & { fingerprint: string; appliedAt: number }

export const MANAGED_PATH = '/configs/code'
const STALE_MS = 10 * MINUTE

/** Returns the last apply, or null if the tenant isn't managed by code or the response hasn't arrived yet. */
export function useManagedByCode(): LastApply | null {
  const { data } = useApi<CodeState>(MANAGED_PATH, {
    isEnabled: useCan('settings:read'),
    staleTime: STALE_MS,
  })
  const { sections = [], fingerprint = null, appliedAt = null } = data?.data ?? {}
  return fingerprint === null || appliedAt === null || sections.length === 0
    ? null
    : { sections, fingerprint, appliedAt }
}

/** The sections of a settings file whose objects can be changed on the pages of each area. */
const sectionsByArea: Partial<Record<string, CodeState['sections']>> = {
  '/applications': ['applications'],
  '/experience': ['experience', 'phrases'],
  '/connectors': ['connectors', 'experience'],
  '/access': ['roles', 'resources'],
  '/organizations': ['organizationRoles', 'organizationScopes'],
  '/hooks': ['hooks'],
  '/settings': ['settings'],
}

/** The notice above pages whose settings are managed by code (spec/console#managed-by-code). */
export function ManagedByCodeNotice() {
  const t = useT(texts)
  const ago = useAgo()
  const mark = useManagedByCode()
  const [location] = useLocation()
  const [, area = ''] = location.split('/')
  const changed = sectionsByArea[`/${area}`] ?? []
  if (!mark?.sections.some((section) => changed.includes(section))) return null
  return (
    <p className="alert managed">
      {t('managed', { ago: ago(mark.appliedAt) })} <Link href="/as-code">{t('look')}</Link>
    </p>
  )
}

const steps = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][]

/** Returns a function that formats a time relative to now, in the language of the console: `3 days ago`. */
function useAgo() {
  const format = new Intl.RelativeTimeFormat(useLanguage(), { numeric: 'auto' })
  return (at: number): string => {
    const passed = Math.max(0, Date.now() - at)
    const [unit, length] = steps.find(([, each]) => passed >= each) ?? (['second', 1000] as const)
    // For times less than a minute ago, this shows `now` instead of a number of seconds.
    return format.format(unit === 'second' ? 0 : -Math.floor(passed / length), unit)
  }
}
