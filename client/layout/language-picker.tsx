import { useEffect, useRef } from 'react'
import { INTERACTION_PARAM } from '../../src/contract/interaction.ts'
import { LANGUAGE_PARAM } from '../../src/contract/languages.ts'
import { useBoot, useHere, useT } from '../app/boot.tsx'
import { useDismissal } from '../browser/dismissal.ts'
import { keepDraft, restoreDraft } from '../browser/draft.ts'
import { replacePage } from '../browser/leaving.ts'
import { GlobeIcon } from '../ui/icons.tsx'

/** The languages this page can be read in, each a link to it (decision 33): the choice is the server's to remember. */
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
                // The same page again is no step to go back to.
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

/** On a small screen the list may open beyond the window; in a long list the language that is spoken may be far down. */
function showWhole(details: HTMLDetailsElement): void {
  if (!details.open) return
  details.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  details.querySelector('ul')?.scrollIntoView({ block: 'nearest' })
}

/** This page with all it was asked for, in another language. */
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
