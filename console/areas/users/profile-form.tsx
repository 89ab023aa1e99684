import type { ErrorCode } from '../../../src/contract/errors.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import { addressFields, claims } from './field-names.ts'
import { texts } from './phrases.ts'
import { applyProfileChanges, type UserForm } from './profile.ts'

const identifiers = [
  { key: 'username', label: 'username', type: 'text', flag: null },
  { key: 'primaryEmail', label: 'email', type: 'email', flag: 'emailVerified' },
  { key: 'primaryPhone', label: 'phone', type: 'tel', flag: 'phoneVerified' },
] as const

/**
 * Edits the identifiers and the profile of an account. Changes are kept in the tab until they are saved
 * (spec/console#drafts).
 */
export function ProfileForm({ form }: { form: UserForm }) {
  const t = useT(texts)
  const isDisabled = !useCan('users:write')
  const { value, problem, change } = form
  if (!value) return null
  const { profile } = value
  const problems = problem?.fields ?? {}
  const fields = bindFields({ value, problems, isDisabled, change })
  // The API rejects an identifier that belongs to another account, but its error doesn't name the field.
  const conflictMessage = (key: keyof typeof conflictCodes) =>
    problem?.code === conflictCodes[key] ? problem.message : undefined
  const claimFields = bindFields({
    value: profile,
    path: 'profile',
    problems,
    isDisabled,
    change: (changes) => change({ profile: applyProfileChanges(profile, changes) }),
  })
  const address = bindFields<NonNullable<typeof profile.address>>({
    value: profile.address ?? {},
    path: 'profile.address',
    problems,
    isDisabled,
    change: (changes) =>
      claimFields.choice('address').onChange(applyProfileChanges(profile.address ?? {}, changes)),
  })
  return (
    <>
      <Card title={t('signInWith')} lead={t('signInWithLead')}>
        {identifiers.map(({ key, label, type, flag }) => (
          <div key={key} className="with-flag">
            <TextField
              label={t(label)}
              type={type}
              hint={key === 'primaryPhone' ? t('phoneHint') : undefined}
              {...fields.nullable(key)}
              problem={problems[key] ?? conflictMessage(key)}
            />
            {flag && value[key] && <Checkbox label={t('verified')} {...fields.flag(flag)} />}
          </div>
        ))}
      </Card>
      <Card title={t('profile')}>
        <TextField label={t('name')} {...fields.nullable('name')} />
        <TextField label={t('avatar')} type="url" {...fields.nullable('avatar')} />
        {claims.map((claim) => (
          <TextField
            key={claim}
            label={t(claim)}
            hint={claim === 'birthdate' ? t('birthdateHint') : undefined}
            {...claimFields.optional(claim)}
          />
        ))}
        {addressFields.map((field) => (
          <TextField key={field} label={t(field)} {...address.optional(field)} />
        ))}
      </Card>
      <CustomData form={form} isDisabled={isDisabled} />
    </>
  )
}

const conflictCodes = {
  username: 'user.username_already_in_use',
  primaryEmail: 'user.email_already_in_use',
  primaryPhone: 'user.phone_already_in_use',
} as const satisfies Record<string, ErrorCode>

/** Edits the JSON that the operator's applications store with the user. */
function CustomData({ form, isDisabled }: { form: UserForm; isDisabled: boolean }) {
  const t = useT(texts)
  return (
    <Card title={t('customData')} lead={t('customDataLead')}>
      <JsonField<Record<string, unknown>>
        label="JSON"
        form={form}
        field="customData"
        value={form.value?.customData ?? {}}
        isDisabled={isDisabled}
        onChange={(customData) => form.change({ customData })}
      />
    </Card>
  )
}
