import { RATE_LIMITS, rateLimitNames } from '../../../src/contract/rate-limits.ts'
import { useT } from '../../phrases.ts'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './phrases.ts'
import { numberOf, type SettingsPart, textOf } from './settings-form.ts'

export function Limits({ value: { limits }, form, mayWrite }: SettingsPart) {
  const t = useT(texts)
  const problems = form.problem?.fields ?? {}
  return (
    <Card title={t('limits')} lead={t('limitsLead')}>
      <Table
        label={t('limits')}
        rows={rateLimitNames}
        keyOf={(name) => name}
        columns={[
          { title: t('counts'), cell: (name) => <span lang="en">{RATE_LIMITS[name].counts}</span> },
          {
            title: t('per'),
            cell: (name) => <span lang="en">{RATE_LIMITS[name].per}</span>,
            isHiddenOnPhones: true,
          },
          ...(['count', 'windowSeconds'] as const).map((part) => ({
            title: t(part === 'count' ? 'count' : 'window'),
            cell: (name: (typeof rateLimitNames)[number]) => (
              <TextField
                label={`${RATE_LIMITS[name].counts}: ${t(part === 'count' ? 'count' : 'window')}`}
                isLabelHidden
                type="number"
                isDisabled={!mayWrite}
                value={textOf(limits[name][part])}
                problem={problems[`limits.${name}.${part}`]}
                onChange={(number) =>
                  form.change({
                    limits: { ...limits, [name]: { ...limits[name], [part]: numberOf(number) } },
                  })
                }
              />
            ),
          })),
        ]}
      />
      <TextField
        label={t('lockSeconds')}
        type="number"
        isDisabled={!mayWrite}
        value={textOf(limits.lockSeconds)}
        problem={problems['limits.lockSeconds']}
        onChange={(seconds) => form.change({ limits: { ...limits, lockSeconds: numberOf(seconds) } })}
      />
    </Card>
  )
}
