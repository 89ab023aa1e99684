import { useState } from 'react'
import { isDeepEqual } from './changes.ts'
import type { EntityForm } from './entity-form.ts'

type TypedTextOptions<V> = {
  form: Pick<EntityForm<Record<string, unknown>>, 'unread' | 'setUnread'>
  /** The path of the field in the API's error responses. */
  field: string
  value: V
  /** Parses the text. Returns undefined if the text doesn't represent a value. */
  read: (text: string) => V | undefined
  write: (value: V) => string
  onChange: (value: V) => void
}

/**
 * Edits a value of a form as text. The user's text is kept unchanged while it represents the value; otherwise the value
 * is formatted. If the text can't be parsed, the form keeps the text but can't be saved.
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
      if (now !== undefined && !isDeepEqual(now, value)) onChange(now)
    },
  }
}

const represents = (read: unknown, value: unknown) => read !== undefined && isDeepEqual(read, value)
