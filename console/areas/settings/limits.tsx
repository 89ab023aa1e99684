import { type RateLimitName, rateLimitNames } from '../../../src/contract/rate-limits.ts'
import { useLanguage, useT } from '../../phrases.ts'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { durationOf, limitWords } from './limit-words.ts'
import { texts } from './phrases.ts'
import { numberOf, type SettingsPart, textOf } from './settings-form.ts'

export function Limits({ value: { limits }, form, mayWrite, reason }: SettingsPart) {
  const t = useT(texts)
  const language = useLanguage()
  const problems = form.problem?.fields ?? {}
  const fieldOf = (name: RateLimitName, part: 'count' | 'windowSeconds') => (
    <TextField
      label={`${limitWords(name, language).counts}: ${t(part === 'count' ? 'count' : 'window')}`}
      isLabelHidden
      type="number"
      isDisabled={!mayWrite('limits')}
      value={textOf(limits[name][part])}
      hint={part === 'windowSeconds' && durationOf(limits[name].windowSeconds, language)}
      problem={problems[`limits.${name}.${part}`]}
      onChange={(number) =>
        form.change({ limits: { ...limits, [name]: { ...limits[name], [part]: numberOf(number) } } })
      }
    />
  )
  return (
    <Card title={t('limits')} lead={reason('limits') ?? t('limitsLead')}>
      <Table
        label={t('limits')}
        rows={rateLimitNames}
        keyOf={(name) => name}
        columns={[
          { title: t('counts'), cell: (name) => limitWords(name, language).counts },
          { title: t('per'), cell: (name) => limitWords(name, language).per, isHiddenOnPhones: true },
          { title: t('count'), cell: (name) => fieldOf(name, 'count') },
          { title: t('window'), cell: (name) => fieldOf(name, 'windowSeconds') },
        ]}
      />
      <TextField
        label={t('lockSeconds')}
        type="number"
        isDisabled={!mayWrite('limits')}
        value={textOf(limits.lockSeconds)}
        hint={durationOf(limits.lockSeconds, language)}
        problem={problems['limits.lockSeconds']}
        onChange={(seconds) => form.change({ limits: { ...limits, lockSeconds: numberOf(seconds) } })}
      />
    </Card>
  )
}
