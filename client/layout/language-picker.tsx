import { type RefObject, useEffect, useRef } from 'react'
import { INTERACTION_PARAM } from '../../src/contract/interaction.ts'
import { LANGUAGE_PARAM } from '../../src/contract/languages.ts'
import { useBoot, useHere, useT } from '../app/boot.tsx'
import { keepDraft, restoreDraft } from '../browser/draft.ts'
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
                location.replace(event.currentTarget.href)
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

/** Escape closes it, and so does whatever happens elsewhere on the page. */
function useDismissal(box: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => {
      if (box.current) box.current.open = false
    }
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) close()
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !box.current?.open) return
      close()
      box.current.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onElsewhere)
    document.addEventListener('focusin', onElsewhere)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onElsewhere)
      document.removeEventListener('focusin', onElsewhere)
      document.removeEventListener('keydown', onKey)
    }
  }, [box])
}
