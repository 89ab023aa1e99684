import { Link } from 'wouter'
import { useT } from '../../phrases.ts'
import { TextField, type TextFieldProps } from '../../ui/fields.tsx'
import { texts } from './phrases.ts'

/** Edits the URL of a webhook. If the setting for private addresses would allow the URL, links to the setting. */
export function UrlField({
  problem,
  ...field
}: Pick<TextFieldProps, 'value' | 'problem' | 'onChange' | 'isDisabled'>) {
  const t = useT(texts)
  const needsSetting = problem?.includes(t('addressSettings')) === true
  return (
    <TextField
      label={t('address')}
      hint={needsSetting ? <Link href="/settings/addresses">{t('openSettings')}</Link> : t('urlHint')}
      isCode
      type="url"
      autoComplete="off"
      problem={problem}
      {...field}
    />
  )
}
