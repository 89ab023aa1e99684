import { useEffect, useRef } from 'react'
import { LANGUAGE_PARAM } from '../../src/contract/experience/languages.ts'
import type { OfferedLanguage } from '../../src/contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { useDismissal } from '../browser/dismissal.ts'
import { restoreDraft, saveDraft } from '../browser/draft.ts'
import { preferredLanguages, useIsHydrated } from '../browser/facts.ts'
import { replacePage } from '../browser/leaving.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { GlobeIcon } from '../ui/icons.tsx'

/**
 * Offers languages as buttons that reload the page (spec/experience#language-picker). The server remembers the
 * choice. The buttons share one form, because 32 links would each have to repeat the whole query.
 */
export function LanguagePicker() {
  const { language, languages } = useBoot()
  const t = useT()
  const { path } = useCurrentPage()
  const query = useCurrentQuery()
  const box = useRef<HTMLDetailsElement>(null)
  const isHydrated = useIsHydrated()
  useDismissal(box)
  useEffect(() => {
    restoreDraft()
    // The user may have opened the list before the page was hydrated.
    if (box.current) showWhole(box.current)
  }, [])

  const current = languages.find(({ tag }) => tag === language)
  if (!current) return null
  const likely = isHydrated ? findLikely(languages, current) : []
  const choose = (tag: string) => {
    saveDraft()
    // Reloading the same page adds no entry to the history.
    replacePage(`?${new URLSearchParams([...query, [LANGUAGE_PARAM, tag]])}`)
  }
  return (
    <details className="languages" ref={box} onToggle={({ currentTarget }) => showWhole(currentTarget)}>
      <summary aria-label={t('vestibule.language', { name: current.name })}>
        <GlobeIcon />
        {current.name}
      </summary>
      <form action={path}>
        {query.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ul>
          {[...new Set([...likely, ...languages])].map(({ tag, name, lang = tag }) => (
            <li key={tag}>
              <button
                type="submit"
                name={LANGUAGE_PARAM}
                value={tag}
                lang={lang}
                aria-current={tag === language ? 'true' : undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return
                  event.preventDefault()
                  choose(tag)
                }}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </details>
  )
}

/** Returns the offered languages that the browser prefers, and the current one. */
function findLikely(languages: readonly OfferedLanguage[], current: OfferedLanguage): OfferedLanguage[] {
  const preferred = preferredLanguages().flatMap(
    (preference) => languages.find(({ tag }) => `${preference}-`.startsWith(`${tag}-`)) ?? [],
  )
  return [...new Set([...preferred, current])]
}

/**
 * Scrolls so that the list and the current language are visible. On a small screen, the list may be taller than
 * the window.
 */
function showWhole(details: HTMLDetailsElement): void {
  if (!details.open) return
  details.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  details.querySelector('ul')?.scrollIntoView({ block: 'nearest' })
}

/** Returns the query of this page without the language. */
function useCurrentQuery(): [name: string, value: string][] {
  const { interaction } = useBoot()
  const { search } = useCurrentPage()
  const query = new URLSearchParams(search)
  if (interaction) query.set(INTERACTION_PARAM, interaction)
  query.delete(LANGUAGE_PARAM)
  return [...query]
}
