import { type RateLimitName, rateLimitNames } from '../../../src/contract/rate-limits.ts'
import { useLanguage, useT } from '../../phrases.ts'
import { bindFields } from '../../ui/bound.ts'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { describeLimit, formatDuration } from './limit-words.ts'
import { texts } from './phrases.ts'
import type { SettingsPart } from './settings-form.ts'

export function RateLimits({ value: { limits }, form, fieldsIn, mayWrite, reason }: SettingsPart) {
  const t = useT(texts)
  const language = useLanguage()
  const fieldOf = (name: RateLimitName, part: 'count' | 'windowSeconds') => (
    <TextField
      label={`${describeLimit(name, language).counts}: ${t(part === 'count' ? 'count' : 'window')}`}
      isLabelHidden
      hint={part === 'windowSeconds' && formatDuration(limits[name].windowSeconds, language)}
      {...bindFields({
        value: limits[name],
        path: `limits.${name}`,
        problems: form.problem?.fields ?? {},
        isDisabled: !mayWrite('limits'),
        change: (changes) => form.change({ limits: { ...limits, [name]: { ...limits[name], ...changes } } }),
      }).number(part)}
    />
  )
  return (
    <Card title={t('limits')} lead={reason('limits') ?? t('limitsLead')}>
      <Table
        label={t('limits')}
        rows={rateLimitNames}
        keyOf={(name) => name}
        columns={[
          { title: t('counts'), cell: (name) => describeLimit(name, language).counts },
          { title: t('per'), cell: (name) => describeLimit(name, language).per, isHiddenOnPhones: true },
          { title: t('count'), cell: (name) => fieldOf(name, 'count') },
          { title: t('window'), cell: (name) => fieldOf(name, 'windowSeconds') },
        ]}
      />
      <TextField
        label={t('limits.lockSeconds')}
        hint={formatDuration(limits.lockSeconds, language)}
        {...fieldsIn('limits').number('lockSeconds')}
      />
    </Card>
  )
}
