import { useRef } from 'react'
import type { PressEvent } from 'react-aria-components'
import { Link } from 'wouter'
import type { EntityForm } from '../api/entity-form.ts'
import type { ApiProblem } from '../api/problem.ts'
import { useMay } from '../session/permissions.tsx'
import { Button } from './button.tsx'
import { useReturnOfFocus } from './focus.ts'
import { useExplanation, useNotify } from './toast.tsx'
import { useWords } from './words.ts'

/** Below a form: saves, discards, shows why a save was refused, and settles a conflict with another administrator. */
export function SaveBar<T extends Record<string, unknown>>({
  form,
  about,
  isSetting = true,
  nameOf,
}: {
  form: EntityForm<T>
  /** Whether the page "As code" shows what the changes would do: those of users are no settings. */
  isSetting?: boolean
  /** What is saved, where a page has several forms. */
  about?: string
  /**
   * The label of a field, for the list of those that both changed, of merged ones with their keys (`config.url`), and of those that were
   * refused: they may be on another page.
   */
  nameOf?: (field: string) => string
}) {
  const words = useWords()
  const explain = useExplanation()
  const notify = useNotify()
  const mayPlan = useMay('settings:read')
  const namesOf = (fields: readonly string[]) =>
    [...new Set(fields.map((field) => nameOf?.(field) ?? field))].join(', ')
  const refusal = (problem: ApiProblem) => {
    const fields = Object.keys(problem.fields).map((path) => path.split('.')[0] ?? '')
    return nameOf && fields.length > 0 ? `${namesOf(fields)}: ${explain(problem)}` : explain(problem)
  }
  const said = (text: string) => (about ? `${about}: ${text}` : text)
  // Two bars may be there at once.
  const named = (word: 'discard' | 'save') => (about ? { 'aria-label': `${words(word)}: ${about}` } : {})
  const bar = useRef<HTMLDivElement>(null)
  const returnFocus = useReturnOfFocus(bar)
  const save = async (event: PressEvent) => {
    if (form.isSaving) return
    const saved = await form.save()
    if (!saved) return
    notify.success(said(words('saved')), saved.undo)
    returnFocus(event)
  }
  const discard = (event: PressEvent) => {
    form.discard()
    returnFocus(event)
  }
  if (form.conflict) {
    return (
      <div className="save-bar alert" role="alert">
        <div>
          <strong>{said(words('conflictTitle'))}</strong>
          <p>{words('conflictLead')}</p>
          {form.conflict.fields.length > 0 && (
            <p>{words('conflictSame', { fields: namesOf(form.conflict.fields) })}</p>
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
    <div ref={bar} className="save-bar">
      <span role={form.problem ? 'alert' : 'status'}>
        {said(form.problem ? refusal(form.problem) : words('unsaved'))}
      </span>
      <div className="actions">
        {isSetting && mayPlan && (
          <Link className="button quiet" href="/as-code">
            {words('plan')}
          </Link>
        )}
        <Button {...named('discard')} onPress={discard}>
          {words('discard')}
        </Button>
        <Button {...named('save')} kind="primary" data-pending={form.isSaving || undefined} onPress={save}>
          {words('save')}
        </Button>
      </div>
    </div>
  )
}
