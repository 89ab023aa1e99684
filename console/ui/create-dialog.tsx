import { useState } from 'react'
import { Dialog } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'
import { Select, TextField, type TextFieldProps } from './fields.tsx'
import { RequireStepUp } from './step-up.tsx'

type CreateField<Name extends string> = Pick<
  TextFieldProps,
  'label' | 'isCode' | 'suggestions' | 'type' | 'autoComplete'
> & {
  /** The path of the field in the API's error responses. */
  name: Name
  hint?: string | undefined
  initial?: string
  /** The options of a select field. `initial` is one of them. */
  options?: readonly { value: string; label: string }[]
}

export type CreateProps<Name extends string> = {
  title: string
  action: string
  fields: readonly CreateField<Name>[]
  /** True if the API requires a recent sign-in. Signing in later would discard the typed values. */
  needsStepUp?: boolean
  onCreate: (values: Readonly<Record<Name, string>>) => Promise<void>
  onClose: () => void
}

/** A dialog that asks for the values that a new entity needs. */
export function CreateDialog<Name extends string>(props: CreateProps<Name>) {
  const { title, action, fields, needsStepUp, onCreate, onClose } = props
  const [values, setValues] = useState(
    () => Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])) as Record<Name, string>,
  )
  const form = (
    <DialogForm
      action={action}
      fields={fields.map(({ name }) => name)}
      onSubmit={() => onCreate(values)}
      onClose={onClose}
    >
      {(problems) =>
        fields.map(({ name, initial, options, ...field }) => {
          const props = {
            ...field,
            value: values[name],
            problem: problems[name],
            onChange: (value: string) => setValues({ ...values, [name]: value }),
          }
          return options ? (
            <Select key={name} {...props} options={options} />
          ) : (
            <TextField key={name} autoComplete="off" {...props} />
          )
        })
      }
    </DialogForm>
  )
  return (
    <Dialog title={title} onClose={onClose}>
      {needsStepUp ? <RequireStepUp>{form}</RequireStepUp> : form}
    </Dialog>
  )
}
