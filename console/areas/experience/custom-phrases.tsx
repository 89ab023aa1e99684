import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import { flatten, searchKeys, type Texts, unflatten } from './phrase-list.ts'

const texts = phrases({
  en: {
    title: 'Texts of the pages',
    lead: 'What you write replaces the text of the product, in one language. An empty field keeps it. Pages show it once it is saved.',
    language: 'Language of the texts',
    search: 'Search in keys and texts',
    more: '{count} more: search for less',
    none: 'No text has that in it.',
  },
  de: {
    title: 'Texte der Seiten',
    lead: 'Was Sie schreiben, ersetzt den Text des Produkts in einer Sprache. Ein leeres Feld behält ihn. Die Seiten zeigen es, sobald es gespeichert ist.',
    language: 'Sprache der Texte',
    search: 'In Schlüsseln und Texten suchen',
    more: '{count} weitere: Suchen Sie nach weniger',
    none: 'Kein Text enthält das.',
  },
})

type Stored = readonly { languageTag: string; translation: Record<string, unknown> }[]
type CustomPhrasesProps = {
  languages: readonly { value: string; label: string }[]
  stored: Stored
  isReadOnly: boolean
}

/** The operator's texts of one language beside those that apply now (spec/experience#custom-phrases). */
export function CustomPhrases({ languages, stored, isReadOnly }: CustomPhrasesProps) {
  const t = useT(texts)
  const [language, setLanguage] = useState('en')
  const own = stored.find(({ languageTag }) => languageTag === language)
  return (
    <Card title={t('title')} lead={t('lead')}>
      <Select label={t('language')} value={language} options={languages} onChange={setLanguage} />
      <PhraseList
        key={`${language} ${JSON.stringify(own?.translation)}`}
        language={language}
        own={flatten((own?.translation ?? {}) as Texts)}
        isReadOnly={isReadOnly}
      />
    </Card>
  )
}

const MOST_SHOWN = 20

type PhraseListProps = { language: string; own: Readonly<Record<string, string>>; isReadOnly: boolean }

function PhraseList({ language, own, isReadOnly }: PhraseListProps) {
  const t = useT(texts)
  const words = useWords()
  const notify = useNotify()
  const change = useChange()
  const [search, setSearch] = useState('')
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>({})
  const { data: applied, error } = useQuery({
    queryKey: ['/.well-known/phrases', language, own],
    queryFn: ({ signal }) => fetchPhrases(language, signal),
  })
  if (!applied) return <Loading failure={error} />
  const mine = { ...own, ...changes }
  const keys = searchKeys(search, [applied, mine])
  const isChanged = Object.entries(changes).some(([key, text]) => text !== (own[key] ?? ''))
  const save = async () => {
    const path = `/custom-phrases/${language}`
    const write = (list: Readonly<Record<string, string>>) =>
      change(path, { method: 'PUT', body: unflatten(list), invalidates: ['/custom-phrases'] })
    try {
      await write(mine)
      notify.success(words('saved'), async () => void (await write(own)))
    } catch (failure) {
      notify.failure(failure)
    }
  }
  return (
    <>
      <TextField label={t('search')} type="search" value={search} onChange={setSearch} />
      {keys.length === 0 && <p className="hint">{t('none')}</p>}
      {keys.slice(0, MOST_SHOWN).map((key) => (
        <TextField
          key={key}
          label={key}
          hint={mine[key] && !own[key] ? applied[key] : undefined}
          placeholder={applied[key] ?? ''}
          value={mine[key] ?? ''}
          isDisabled={isReadOnly}
          onChange={(text) => setChanges((before) => ({ ...before, [key]: text }))}
        />
      ))}
      {keys.length > MOST_SHOWN && <p className="hint">{t('more', { count: keys.length - MOST_SHOWN })}</p>}
      {isChanged && (
        <div className="actions">
          <Button onPress={() => setChanges({})}>{words('discard')}</Button>
          <Button kind="primary" onPress={save}>
            {words('save')}
          </Button>
        </div>
      )}
    </>
  )
}

/** What pages say now: the built-in texts with those of the operator in their place. */
async function fetchPhrases(lng: string, signal: AbortSignal): Promise<Record<string, string>> {
  const query = new URLSearchParams({ lng, no_cache: '' })
  const answer = await fetch(`${apiOrigin}/api/.well-known/phrases?${query}`, { signal })
  if (!answer.ok) throw new Error(String(answer.status))
  const { translation }: { translation: Texts } = await answer.json()
  return flatten(translation)
}
