import { useState } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import { screenPhrases } from './preview-screens.ts'
import type { PartProps } from './settings.ts'

const contentTexts = phrases({
  en: {
    lead: 'HTML that appears beside the form on one page: text, links and pictures. We remove scripts. It isn’t shown on phones.',
    page: 'Page',
    html: 'HTML for this page',
    filled: '{page} (has content)',
  },
  de: {
    lead: 'HTML neben dem Formular einer Seite: Text, Links und Bilder. Skripte werden entfernt, und auf Telefonen erscheint es nicht.',
    page: 'Seite',
    html: 'HTML dieser Seite',
    filled: '{page} (mit Inhalt)',
  },
})

/** The console's names for the pages, each composed of one or two phrases that the preview also uses. */
const names: Readonly<Record<string, readonly (keyof typeof screenPhrases.en)[]>> = {
  '/sign-in': ['signIn'],
  '/sign-in/password': ['signIn', 'password'],
  '/sign-in/verification-code': ['signIn', 'code'],
  '/register': ['register'],
  '/register/password': ['register', 'password'],
  '/register/verification-code': ['register', 'code'],
  '/forgot-password': ['forgot'],
  '/sign-in/consent': ['consent'],
}

/** Edits the operator's HTML for each page, by the page's path (spec/experience#custom-content). */
export function CustomContent({
  settings: { customContent },
  change,
  problems,
  isReadOnly,
  showPage,
}: PartProps) {
  const t = useT(contentTexts, screenPhrases, texts)
  const nameOf = (page: string) => names[page]?.map((word) => t(word)).join(': ') ?? page
  const all = [...new Set([...Object.keys(names), ...Object.keys(customContent)])]
  const [path, setPath] = useState('/sign-in')
  const set = (html: string) => {
    const { [path]: _, ...others } = customContent
    change({ customContent: html === '' ? others : { ...others, [path]: html } })
  }
  return (
    <Card title={t('customContent')} lead={t('lead')}>
      <Select
        label={t('page')}
        value={path}
        options={all.map((value) => ({
          value,
          label: Object.hasOwn(customContent, value) ? t('filled', { page: nameOf(value) }) : nameOf(value),
        }))}
        onChange={(page) => {
          setPath(page)
          showPage(page)
        }}
      />
      <TextField
        label={t('html')}
        rows={6}
        isCode
        value={customContent[path] ?? ''}
        problem={problems[`customContent.${path}`]}
        isDisabled={isReadOnly}
        onChange={set}
      />
    </Card>
  )
}
