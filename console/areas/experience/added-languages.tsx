import { useState } from 'react'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { call } from '../../api/client.ts'
import { PHRASES_PATH, phrasesPath } from '../../api/custom-phrases.ts'
import { setDraft } from '../../api/drafts.ts'
import { queryClient } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import type { PageLanguage } from './languages-of-pages.ts'

const texts = phrases({
  en: {
    addLanguage: 'Add a language',
    tag: 'Language tag',
    tagHint:
      'A language, and optionally a script and region (BCP 47), such as “is” or “fr-CA”. Its phrases start out in English.',
    removeLanguage: 'Remove {language}',
    removeLead:
      'Its phrases are deleted, and pages are no longer shown in this language. You can’t undo this.',
  },
  de: {
    addLanguage: 'Sprache hinzufügen',
    tag: 'Kürzel der Sprache',
    tagHint:
      'Sprache, bei Bedarf mit Schrift und Region (BCP 47), wie „is“ oder „fr-CA“. Ihre Texte sind zuerst englisch.',
    removeLanguage: '{language} entfernen',
    removeLead:
      'Ihre Texte werden gelöscht, und Seiten erscheinen nicht mehr in dieser Sprache. Das lässt sich nicht rückgängig machen.',
  },
})

/**
 * Adds and removes languages that aren't built in. A language exists as soon as it has an entry with custom phrases,
 * even an empty one.
 */
export function AddedLanguages({ pages, fallback }: { pages: PageLanguage; fallback: string }) {
  const t = useT(texts)
  const [dialog, setDialog] = useState<'add' | 'remove' | null>(null)
  const { language, languages, onLanguage } = pages
  const path = phrasesPath(language)
  const isAdded = !builtInLanguages.some((tag) => tag === language) && language !== fallback
  const name = languages.find(({ value }) => value === language)?.label ?? language
  const close = () => setDialog(null)
  const readAgain = () => queryClient.invalidateQueries({ queryKey: [PHRASES_PATH] })
  const add = async (tag: string) => {
    const exists = languages.some(({ value }) => value === tag)
    if (!exists) await call(phrasesPath(tag), { method: 'PUT', body: {}, mustBeNew: true })
    await readAgain()
    onLanguage(tag)
    close()
  }
  const remove = async () => {
    await call(path, { method: 'DELETE' })
    onLanguage(fallback)
    setDraft(path, null)
    queryClient.removeQueries({ queryKey: [path] })
    await readAgain()
  }
  return (
    <>
      <Button onPress={() => setDialog('add')}>{t('addLanguage')}</Button>
      {isAdded && (
        <Button kind="danger" onPress={() => setDialog('remove')}>
          {t('removeLanguage', { language: name })}
        </Button>
      )}
      {dialog === 'add' && (
        <CreateDialog
          title={t('addLanguage')}
          action={t('add')}
          fields={[
            { name: 'tag', label: t('tag'), hint: t('tagHint'), isCode: true, suggestions: knownLanguages },
          ]}
          onCreate={({ tag }) => add(tag.trim())}
          onClose={close}
        />
      )}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={t('removeLanguage', { language: name })}
          lead={t('removeLead')}
          action={t('remove')}
          confirmationText={language}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  )
}
