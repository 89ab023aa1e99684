import { useEffect, useRef } from 'react'
import { INTERACTION_PARAM } from '../../src/contract/interaction.ts'
import { LANGUAGE_PARAM } from '../../src/contract/languages.ts'
import { useBoot, useHere, useT } from '../app/boot.tsx'
import { useDismissal } from '../browser/dismissal.ts'
import { keepDraft, restoreDraft } from '../browser/draft.ts'
import { replacePage } from '../browser/leaving.ts'
import { GlobeIcon } from '../ui/icons.tsx'

/** The languages of this page, each a link to it (spec/experience#language-picker). The server remembers the choice. */
export function LanguagePicker() {
  const { language, languages } = useBoot()
  const t = useT()
  const addressIn = useAddressIn()
  const box = useRef<HTMLDetailsElement>(null)
  useDismissal(box)
  useEffect(restoreDraft, [])

  const current = languages.find(({ tag }) => tag === language)
  if (!current) return null
  return (
    <details className="languages" ref={box} onToggle={({ currentTarget }) => showWhole(currentTarget)}>
      <summary aria-label={t('vestibule.language', { name: current.name })}>
        <GlobeIcon />
        {current.name}
      </summary>
      <ul>
        {languages.map(({ tag, name, lang = tag }) => (
          <li key={tag}>
            <a
              href={addressIn(tag)}
              lang={lang}
              hrefLang={lang}
              aria-current={tag === language ? 'true' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                keepDraft()
                // The same page again gets no entry in the history.
                replacePage(event.currentTarget.href)
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** On a small screen the list may open beyond the window, and the current language may be far down in it. */
function showWhole(details: HTMLDetailsElement): void {
  if (!details.open) return
  details.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  details.querySelector('ul')?.scrollIntoView({ block: 'nearest' })
}

/** The address of this page with its whole query, in another language. */
function useAddressIn(): (tag: string) => string {
  const { interaction } = useBoot()
  const { path, search } = useHere()
  return (tag) => {
    const query = new URLSearchParams(search)
    if (interaction) query.set(INTERACTION_PARAM, interaction)
    query.set(LANGUAGE_PARAM, tag)
    return `${path}?${query}`
  }
}
