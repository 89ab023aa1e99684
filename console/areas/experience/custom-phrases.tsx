import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fetchBuiltInPhrases, phrasesPath } from '../../api/custom-phrases.ts'
import { useDrafts } from '../../api/drafts.ts'
import type { EntityForm } from '../../api/entity-form.ts'
import type { PhraseTexts } from '../../api/phrase-texts.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select, TextField } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { AddedLanguages } from './added-languages.tsx'
import type { PageLanguage } from './languages-of-pages.ts'
import { findSimilarKeys, searchKeys } from './phrase-list.ts'

const texts = phrases({
  en: {
    title: 'Page phrases',
    lead: 'Your text replaces the product’s text in one language, on every page that uses it. The preview shows it right away.',
    language: 'Language of the phrases',
    unsaved: '{language} (not saved)',
    search: 'Search keys and phrases',
    replaced: 'Only replaced phrases ({count})',
    product: 'Product text: {text}',
    similar: 'These contain the product’s text, too: {keys}',
    useProduct: 'Use the product’s text',
    more: 'Show more ({count})',
    none: 'No phrases match your search.',
  },
  de: {
    title: 'Texte der Seiten',
    lead: 'Ihr Text ersetzt den des Produkts, in einer Sprache und auf jeder Seite, die ihn verwendet. Die Vorschau zeigt ihn sofort.',
    language: 'Sprache der Texte',
    unsaved: '{language} (nicht gespeichert)',
    search: 'Schlüssel und Texte durchsuchen',
    replaced: 'Nur ersetzte Texte ({count})',
    product: 'Text des Produkts: {text}',
    similar: 'Auch diese enthalten den Text des Produkts: {keys}',
    useProduct: 'Text des Produkts verwenden',
    more: 'Weitere anzeigen ({count})',
    none: 'Kein Text passt zur Suche.',
  },
})

type CustomPhrasesProps = {
  pages: PageLanguage
  /** The language for users whose own language isn't offered. */
  fallback: string
  /** The name of the service, for phrases that mention it. */
  brand: string | undefined
  form: EntityForm<PhraseTexts>
  isReadOnly: boolean
}

/**
 * Edits the operator's custom phrases in one language, each next to the built-in text (spec/experience#custom-phrases).
 */
export function CustomPhrases({ pages, fallback, brand, form, isReadOnly }: CustomPhrasesProps) {
  const t = useT(texts)
  const { language, languages, onLanguage } = pages
  const builtIn = useBuiltIn(language)
  // The search also covers the English phrases, because they may be the only ones that the operator knows.
  const english = useBuiltIn('en')
  const { value, change } = form
  const drafts = useDrafts()
  const options = languages.map(({ value: tag, label }) => ({
    value: tag,
    label: drafts.has(phrasesPath(tag)) ? t('unsaved', { language: label }) : label,
  }))
  return (
    <Card
      title={t('title')}
      lead={t('lead')}
      actions={!isReadOnly && <AddedLanguages pages={pages} fallback={fallback} />}
    >
      <Select label={t('language')} value={language} options={options} onChange={onLanguage} />
      {value && builtIn.data ? (
        <PhraseList
          key={language}
          language={language}
          brand={brand}
          isReadOnly={isReadOnly}
          builtIn={builtIn.data}
          english={english.data ?? {}}
          own={value}
          onChange={(key, text) => change({ [key]: text || null })}
        />
      ) : (
        <Loading
          failure={form.failure ?? builtIn.error}
          onRetry={builtIn.error ? builtIn.refetch : undefined}
        />
      )}
    </Card>
  )
}

const useBuiltIn = (language: string) =>
  useQuery({
    queryKey: ['/.well-known/phrases', language],
    queryFn: ({ signal }) => fetchBuiltInPhrases(language, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

type PhraseListProps = {
  language: string
  brand: string | undefined
  builtIn: Readonly<Record<string, string>>
  english: Readonly<Record<string, string>>
  own: Readonly<PhraseTexts>
  isReadOnly: boolean
  onChange: (key: string, text: string) => void
}

const SHOWN_AT_ONCE = 20

function PhraseList({ language, brand, builtIn, english, own, isReadOnly, onChange }: PhraseListProps) {
  const t = useT(texts)
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<readonly string[]>([])
  const [narrowedTo, setNarrowedTo] = useState<readonly string[] | null>(null)
  const [limit, setLimit] = useState(SHOWN_AT_ONCE)
  const replaced = Object.keys(own).filter((key) => own[key])
  // English has plural forms that other languages lack.
  const matches = searchKeys({
    search,
    lists: [builtIn, own, english],
    values: { brand },
    pinned: edited,
  }).filter((key) => key in builtIn || own[key])
  // A cleared text is kept in the list.
  const keys = narrowedTo ? matches.filter((key) => narrowedTo.includes(key) || own[key]) : matches
  const searchFor = (next: string) => {
    setSearch(next)
    setEdited([])
  }
  const edit = (key: string, text: string) => {
    if (!edited.includes(key)) setEdited([...edited, key])
    onChange(key, text)
  }
  return (
    <>
      <TextField label={t('search')} type="search" value={search} onChange={searchFor} />
      <Checkbox
        label={t('replaced', { count: replaced.length })}
        isSelected={narrowedTo !== null}
        onChange={(isNarrowed) => setNarrowedTo(isNarrowed ? replaced : null)}
      />
      {keys.length === 0 && <p className="hint">{t('none')}</p>}
      {keys.slice(0, limit).map((key) => (
        <PhraseRow
          key={key}
          name={key}
          language={language}
          isReadOnly={isReadOnly}
          builtIn={builtIn[key] ?? ''}
          similar={own[key] ? findSimilarKeys(key, builtIn) : []}
          value={own[key] ?? ''}
          onChange={(text) => edit(key, text)}
        />
      ))}
      {keys.length > limit && (
        <div className="actions">
          <Button onPress={() => setLimit(limit + SHOWN_AT_ONCE)}>
            {t('more', { count: keys.length - limit })}
          </Button>
        </div>
      )}
    </>
  )
}

/** The number of characters that fit into one line of the card. */
const ONE_LINE = 45

type PhraseRowProps = {
  name: string
  language: string
  builtIn: string
  /** The keys of other phrases that contain the built-in text. */
  similar: readonly string[]
  value: string
  isReadOnly: boolean
  onChange: (text: string) => void
}

function PhraseRow({ name, language, builtIn, similar, value, isReadOnly, onChange }: PhraseRowProps) {
  const t = useT(texts)
  const row = useRef<HTMLDivElement>(null)
  const clear = () => {
    onChange('')
    // Move the focus to the field, because the pressed button disappears.
    row.current?.querySelector<HTMLElement>('input, textarea')?.focus()
  }
  return (
    <div className="phrase" ref={row}>
      <TextField
        label={name}
        rows={Math.min(4, Math.ceil(builtIn.length / ONE_LINE))}
        language={language}
        placeholder={builtIn}
        hint={
          value && (
            <>
              {t('product', { text: builtIn })}
              {similar.length > 0 && <br />}
              {similar.length > 0 && t('similar', { keys: similar.join(', ') })}
            </>
          )
        }
        value={value}
        isDisabled={isReadOnly}
        onChange={onChange}
      />
      {value && !isReadOnly && (
        <Button kind="quiet" aria-label={`${t('useProduct')}: ${name}`} onPress={clear}>
          {t('useProduct')}
        </Button>
      )}
    </div>
  )
}
