import { useT } from '../../phrases.ts'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { PolicyFields } from '../second-factor-policy.tsx'
import type { SettingsProps } from './application-form.ts'
import { texts } from './phrases.ts'

export function BasicsCard({ application, change, fields, metadata, problems, isReadOnly }: SettingsProps) {
  const t = useT(texts)
  return (
    <Card title={t('basics')}>
      <TextField label={t('name')} hint={t('nameHint')} {...fields.text('name')} />
      <TextField
        label={t('description')}
        hint={t('descriptionHint')}
        rows={2}
        {...fields.nullable('description')}
      />
      {application.type !== 'MachineToMachine' && (
        <>
          <TextField
            label={t('logoUri')}
            hint={t('logoHint')}
            type="url"
            isCode
            {...metadata.nullable('logoUri')}
          />
          <PolicyFields
            value={application}
            isDisabled={isReadOnly}
            problem={problems.secondFactorPolicy}
            onChange={change}
          />
        </>
      )}
    </Card>
  )
}
