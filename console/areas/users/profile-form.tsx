import type { ErrorCode } from '../../../src/contract/errors.ts'
import { isRecord } from '../../../src/contract/is-record.ts'
import { problemAt } from '../../api/problem.ts'
import { useTypedText } from '../../api/typed-text.ts'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { addressFields, claims } from './field-names.ts'
import { texts } from './phrases.ts'
import { type UserForm, withField } from './profile.ts'

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
  const at = (field: string) => problem?.fields[field]
  return (
    <>
      <Card title={t('signInWith')} lead={t('signInWithLead')}>
        {identifiers.map(({ key, label, type, flag }) => (
          <div key={key} className="with-flag">
            <TextField
              label={t(label)}
              type={type}
              hint={key === 'primaryPhone' ? t('phoneHint') : undefined}
              value={value[key] ?? ''}
              isDisabled={isDisabled}
              problem={at(key) ?? takenAt(key, problem?.code)}
              onChange={(text) => change({ [key]: text === '' ? null : text })}
            />
            {flag && value[key] && (
              <Checkbox
                label={t('verified')}
                isSelected={value[flag]}
                isDisabled={isDisabled}
                onChange={(isVerified) => change({ [flag]: isVerified })}
              />
            )}
          </div>
        ))}
      </Card>
      <Card title={t('profile')}>
        <TextField
          label={t('name')}
          value={value.name ?? ''}
          isDisabled={isDisabled}
          problem={at('name')}
          onChange={(name) => change({ name: name === '' ? null : name })}
        />
        <TextField
          label={t('avatar')}
          type="url"
          value={value.avatar ?? ''}
          isDisabled={isDisabled}
          problem={at('avatar')}
          onChange={(avatar) => change({ avatar: avatar === '' ? null : avatar })}
        />
        {claims.map((claim) => (
          <TextField
            key={claim}
            label={t(claim)}
            hint={claim === 'birthdate' ? t('birthdateHint') : undefined}
            value={profile[claim] ?? ''}
            isDisabled={isDisabled}
            problem={at(`profile.${claim}`)}
            onChange={(text) => change({ profile: withField(profile, claim, text) })}
          />
        ))}
        {addressFields.map((field) => (
          <TextField
            key={field}
            label={t(field)}
            value={profile.address?.[field] ?? ''}
            isDisabled={isDisabled}
            problem={at(`profile.address.${field}`)}
            onChange={(text) =>
              change({
                profile: withField(profile, 'address', withField(profile.address ?? {}, field, text)),
              })
            }
          />
        ))}
      </Card>
      <CustomData form={form} isDisabled={isDisabled} />
    </>
  )

  /** A name that another account has is refused without a place. */
  function takenAt(key: keyof typeof taken, code: string | undefined): string | undefined {
    return code === taken[key] ? problem?.message : undefined
  }
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
