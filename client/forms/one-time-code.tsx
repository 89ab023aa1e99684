import type { ComponentProps } from 'react'
import { useT } from '../context/boot.tsx'
import { Field } from '../ui/field.tsx'

/** A one-time code in a single field, because codes are pasted as often as they are typed. */
export function OneTimeCodeField(field: Pick<ComponentProps<typeof Field>, 'name' | 'problem' | 'box'>) {
  const t = useT()
  return (
    <Field
      {...field}
      label={t('vestibule.verification_code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      maxLength={16}
      required
    />
  )
}
