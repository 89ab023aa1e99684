import { useT } from '../../phrases.ts'
import { LinesField, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import type { SettingsPart } from './settings-form.ts'
import { Uploads } from './uploads.tsx'

export function Places(part: SettingsPart) {
  const t = useT(texts)
  const { fields, reason } = part
  return (
    <>
      <Card title={t('places')}>
        {(['previewOrigins', 'imageOrigins'] as const).map((name) => (
          <LinesField
            key={name}
            label={t(name)}
            hint={reason(name) ?? t('oneEach')}
            isCode
            {...fields.lines(name)}
          />
        ))}
        {(['sessionNotFoundRedirectUrl', 'changePasswordUrl'] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            type="url"
            isCode
            hint={reason(name)}
            {...fields.nullable(name)}
          />
        ))}
      </Card>
      <Uploads {...part} />
    </>
  )
}
