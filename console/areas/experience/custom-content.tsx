import { useState } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import type { SettingsForm } from './settings.ts'

const texts = phrases({
  en: {
    title: 'Custom content',
    lead: 'HTML beside the form of one page: text, links and pictures. Scripts are removed.',
    page: 'Page',
    html: 'HTML of this page',
    filled: '{path} (filled)',
  },
  de: {
    title: 'Eigene Inhalte',
    lead: 'HTML neben dem Formular einer Seite: Text, Links und Bilder. Skripte werden entfernt.',
    page: 'Seite',
    html: 'HTML dieser Seite',
    filled: '{path} (ausgefüllt)',
  },
})

const paths = [
  '/sign-in',
  '/sign-in/password',
  '/sign-in/verification-code',
  '/register',
  '/register/password',
  '/register/verification-code',
  '/forgot-password',
  '/sign-in/consent',
]

/** The operator's HTML by the path of a page (spec/experience#custom-content). */
export function CustomContent({ settings: { customContent }, change, problems, isReadOnly }: SettingsForm) {
  const t = useT(texts)
  const all = [...new Set([...paths, ...Object.keys(customContent)])]
  const [path, setPath] = useState('/sign-in')
  const set = (html: string) => {
    const { [path]: _, ...others } = customContent
    change({ customContent: html === '' ? others : { ...others, [path]: html } })
  }
  return (
    <Card title={t('title')} lead={t('lead')}>
      <Select
        label={t('page')}
        value={path}
        options={all.map((value) => ({
          value,
          label: Object.hasOwn(customContent, value) ? t('filled', { path: value }) : value,
        }))}
        onChange={setPath}
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
