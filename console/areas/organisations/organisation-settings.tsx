import { lazy, Suspense } from 'react'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { TextField } from '../../ui/fields.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { OrganizationForm } from './organisation.ts'
import { PolicyCard } from './policy-card.tsx'
import { settingPhrases } from './setting-phrases.ts'

// This card derives the shades of the brand, so it is loaded after the page.
const BrandCard = lazy(() => import('./brand-card.tsx'))

/** Edits an organisation. Its policy and its brand are each sent whole, and compared key by key after a conflict. */
export function OrganizationSettings({ form }: { form: OrganizationForm }) {
  const t = useT(settingPhrases)
  const isDisabled = !useCan('organizations:write')
  const { value, problem, change } = form
  if (!value) return null
  const problems = problem?.fields ?? {}
  const fields = bindFields({ value, problems, isDisabled, change })
  return (
    <>
      <Card title={t('basics')}>
        <TextField label={t('name')} hint={t('nameHint')} {...fields.text('name')} />
        <TextField label={t('description')} rows={2} {...fields.nullable('description')} />
      </Card>
      <Suspense>
        <BrandCard
          brand={value.brand}
          name={value.name}
          problems={problems}
          isDisabled={isDisabled}
          onChange={(brand) => change({ brand })}
        />
      </Suspense>
      <PolicyCard
        policy={value.policy}
        problems={problems}
        isDisabled={isDisabled}
        onChange={(policy) => change({ policy })}
      />
      <Card title={t('customData')} lead={t('customDataLead')}>
        <JsonField<Record<string, unknown>>
          label="JSON"
          form={form}
          field="customData"
          value={value.customData}
          isDisabled={isDisabled}
          onChange={(customData) => change({ customData })}
        />
      </Card>
    </>
  )
}
