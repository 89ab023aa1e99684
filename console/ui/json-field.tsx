import { isObject } from '../api/changes.ts'
import type { EntityForm } from '../api/entity-form.ts'
import { findNamedProblem } from '../api/problem.ts'
import { useTypedText } from '../api/typed-text.ts'
import { phrases, useT } from '../phrases.ts'
import { TextField, type TextFieldProps } from './fields.tsx'

const texts = phrases({
  en: { notJson: 'This isn’t a JSON object. We won’t save anything until it is.' },
  de: { notJson: 'Das ist kein JSON-Objekt. Bis es eines ist, wird nichts gespeichert.' },
})

export type JsonForm = Pick<EntityForm<Record<string, unknown>>, 'unread' | 'setUnread' | 'problem'>

type JsonFieldProps<V> = Pick<TextFieldProps, 'label' | 'hint' | 'isDisabled'> & {
  form: JsonForm
  /** The path of the field in the API's error responses. */
  field: string
  value: V
  /** The value that an empty text stands for. Without one, an empty text is not valid. */
  empty?: V
  onChange: (value: V) => void
}

/** Edits a JSON object as text. */
export function JsonField<V extends object | null>(props: JsonFieldProps<V>) {
  const { form, field, value, empty, onChange, ...rest } = props
  const t = useT(texts)
  const { text, isUnread, change } = useTypedText<V>({
    form,
    field,
    value,
    read: (typed) => (typed.trim() === '' ? empty : parseJsonObject<V>(typed)),
    write: (object) => (object === null ? '' : JSON.stringify(object, null, 2)),
    onChange,
  })
  return (
    <TextField
      {...rest}
      rows={Math.min(24, Math.max(4, text.split('\n').length + 1))}
      isCode
      value={text}
      problem={isUnread ? t('notJson') : findNamedProblem(form.problem?.fields ?? {}, field)}
      onChange={change}
    />
  )
}

/** Parses a JSON object, or returns undefined if the text isn't one. */
export function parseJsonObject<V extends object | null>(text: string): V | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // The API checks everything else about the value.
    return isObject(value) ? (value as V) : undefined
  } catch {
    return undefined
  }
}
