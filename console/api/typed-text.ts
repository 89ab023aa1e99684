import { useState } from 'react'
import { isSame } from './changes.ts'
import type { EntityForm } from './entity-form.ts'

type TypedTextOptions<V> = {
  form: Pick<EntityForm<Record<string, unknown>>, 'unread' | 'setUnread'>
  /** As a refusal of the API names it. */
  field: string
  value: V
  /** Undefined for a text that stands for no value. */
  read: (text: string) => V | undefined
  write: (value: V) => string
  onChange: (value: V) => void
}

/**
 * A text that stands for a value of a form: as it was typed for as long as that means the value, else as the value is written. What
 * cannot be read is kept by the form, which saves nothing meanwhile.
 */
export function useTypedText<V>({ form, field, value, read, write, onChange }: TypedTextOptions<V>) {
  const [typed, setTyped] = useState<string | null>(null)
  const unread = form.unread[field]
  return {
    text: unread ?? (typed !== null && represents(read(typed), value) ? typed : write(value)),
    isUnread: unread !== undefined,
    change(next: string) {
      const now = read(next)
      setTyped(next)
      form.setUnread(field, now === undefined ? next : null)
      if (now !== undefined && !isSame(now, value)) onChange(now)
    },
  }
}

const represents = (read: unknown, value: unknown) => read !== undefined && isSame(read, value)
