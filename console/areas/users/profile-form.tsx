import type { ErrorCode } from '../../../src/contract/errors.ts'
import { isRecord } from '../../../src/contract/is-record.ts'
import { problemAt } from '../../api/problem.ts'
import { useTypedText } from '../../api/typed-text.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { bound } from '../../ui/bound.ts'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { addressFields, claims } from './field-names.ts'
import { texts } from './phrases.ts'
import { type UserForm, withChanges } from './profile.ts'

const identifiers = [
  { key: 'username', label: 'username', type: 'text', flag: null },
  { key: 'primaryEmail', label: 'email', type: 'email', flag: 'emailVerified' },
  { key: 'primaryPhone', label: 'phone', type: 'tel', flag: 'phoneVerified' },
] as const

/** What the account is found and known by. Changes are kept in the tab until they are saved (spec/console#drafts). */
export function ProfileForm({ form }: { form: UserForm }) {
  const t = useT(texts)
  const isDisabled = !useMay('users:write')
  const { value, problem, change } = form
  if (!value) return null
  const { profile } = value
  const problems = problem?.fields ?? {}
  const fields = bound({ value, problems, isDisabled, change })
  // A name that another account has is refused without a place.
  const takenAt = (key: keyof typeof taken) => (problem?.code === taken[key] ? problem.message : undefined)
  const claimed = bound({
    value: profile,
    path: 'profile',
    problems,
    isDisabled,
    change: (changes) => change({ profile: withChanges(profile, changes) }),
  })
  const address = bound<NonNullable<typeof profile.address>>({
    value: profile.address ?? {},
    path: 'profile.address',
    problems,
    isDisabled,
    change: (changes) => claimed.choice('address').onChange(withChanges(profile.address ?? {}, changes)),
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
              problem={problems[key] ?? takenAt(key)}
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
            {...claimed.optional(claim)}
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

const taken = {
  username: 'user.username_already_in_use',
  primaryEmail: 'user.email_already_in_use',
  primaryPhone: 'user.phone_already_in_use',
} as const satisfies Record<string, ErrorCode>

/** JSON of the operator's applications. */
function CustomData({ form, isDisabled }: { form: UserForm; isDisabled: boolean }) {
  const t = useT(texts)
  const { text, isUnread, change } = useTypedText<Record<string, unknown>>({
    form,
    field: 'customData',
    value: form.value?.customData ?? {},
    read: objectIn,
    write: (data) => JSON.stringify(data, null, 2),
    onChange: (customData) => form.change({ customData }),
  })
  return (
    <Card title={t('customData')} lead={t('customDataLead')}>
      <TextField
        label="JSON"
        rows={Math.min(24, Math.max(4, text.split('\n').length + 1))}
        isCode
        value={text}
        isDisabled={isDisabled}
        problem={isUnread ? t('notJson') : problemAt(form.problem?.fields ?? {}, 'customData')}
        onChange={change}
      />
    </Card>
  )
}

/** Undefined for what is not the text of a JSON object. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
