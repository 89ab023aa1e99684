import { problemAt } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { LinesField, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import type { SettingsPart } from './settings-form.ts'
import { Uploads } from './uploads.tsx'

export function Places(part: SettingsPart) {
  const t = useT(texts)
  const { value, form, mayWrite, reason } = part
  const problems = form.problem?.fields ?? {}
  return (
    <>
      <Card title={t('places')}>
        {(['previewOrigins', 'imageOrigins'] as const).map((name) => (
          <LinesField
            key={name}
            label={t(name)}
            hint={reason(name) ?? t('oneEach')}
            isCode
            isDisabled={!mayWrite(name)}
            value={value[name]}
            problem={problemAt(problems, name)}
            onChange={(origins) => form.change({ [name]: origins })}
          />
        ))}
        <TextField
          label={t('sessionless')}
          type="url"
          isCode
          hint={reason('sessionNotFoundRedirectUrl')}
          isDisabled={!mayWrite('sessionNotFoundRedirectUrl')}
          value={value.sessionNotFoundRedirectUrl ?? ''}
          problem={problemAt(problems, 'sessionNotFoundRedirectUrl')}
          onChange={(address) => form.change({ sessionNotFoundRedirectUrl: address || null })}
        />
        <TextField
          label={t('changePassword')}
          type="url"
          isCode
          hint={reason('changePasswordUrl')}
          isDisabled={!mayWrite('changePasswordUrl')}
          value={value.changePasswordUrl ?? ''}
          problem={problemAt(problems, 'changePasswordUrl')}
          onChange={(address) => form.change({ changePasswordUrl: address || null })}
        />
      </Card>
      <Uploads {...part} />
    </>
  )
}
