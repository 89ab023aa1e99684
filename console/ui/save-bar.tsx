import type { EntityForm } from '../api/entity-form.ts'
import { Button } from './button.tsx'
import { useExplanation, useNotify } from './toast.tsx'
import { useWords } from './words.ts'

/** Below a form: saves, discards, shows why a save was refused, and settles a conflict with another administrator. */
export function SaveBar<T extends Record<string, unknown>>({
  form,
  about,
  nameOf = (field) => field,
}: {
  form: EntityForm<T>
  /** What is saved, where a page has several forms. */
  about?: string
  /** The label of a field, for the list of those that both changed. */
  nameOf?: (field: string) => string
}) {
  const words = useWords()
  const explain = useExplanation()
  const notify = useNotify()
  const said = (text: string) => (about ? `${about}: ${text}` : text)
  const save = async () => {
    const saved = await form.save()
    if (saved) notify.success(said(words('saved')), saved.undo)
  }
  if (form.conflict) {
    return (
      <div className="save-bar alert" role="alert">
        <div>
          <strong>{said(words('conflictTitle'))}</strong>
          <p>{words('conflictLead')}</p>
          {form.conflict.fields.length > 0 && (
            <p>{words('conflictSame', { fields: form.conflict.fields.map(nameOf).join(', ') })}</p>
          )}
        </div>
        <div className="actions">
          <Button onPress={form.takeTheirs}>{words('conflictTake')}</Button>
          <Button kind="primary" onPress={form.keepMine}>
            {words('conflictKeep')}
          </Button>
        </div>
      </div>
    )
  }
  if (!form.isChanged && !form.problem) return null
  return (
    <div className="save-bar">
      <span role={form.problem ? 'alert' : 'status'}>
        {said(form.problem ? explain(form.problem) : words('unsaved'))}
      </span>
      <div className="actions">
        <Button onPress={form.discard}>{words('discard')}</Button>
        <Button kind="primary" isDisabled={form.isSaving} onPress={save}>
          {words('save')}
        </Button>
      </div>
    </div>
  )
}
