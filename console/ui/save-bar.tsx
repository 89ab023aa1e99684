import { type ReactNode, type RefObject, useRef } from 'react'
import type { PressEvent } from 'react-aria-components'
import { Link } from 'wouter'
import type { EntityForm, FormConflict } from '../api/entity-form.ts'
import type { ApiProblem } from '../api/problem.ts'
import { useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { Button } from './button.tsx'
import { useFocusReturn } from './focus.ts'
import { useExplain, useNotify } from './toast.tsx'

type SaveBarProps<T extends Record<string, unknown>> = {
  form: EntityForm<T>
  /** Links to the page "Settings as code", which shows the plan of the changes. Changes to users aren't settings. */
  isSetting?: boolean
  /** The name of the form, if the page has more than one. */
  about?: string
  /**
   * Returns the label of a field by its path (`config.url`), because the bar may show a problem while the field isn't
   * visible.
   */
  nameOf: (path: string) => string
}

/**
 * The bar below a form, with buttons to save and to discard changes. It shows why a save was rejected and resolves
 * conflicts with another administrator.
 */
export function SaveBar<T extends Record<string, unknown>>(props: SaveBarProps<T>) {
  const { form, about, isSetting = true, nameOf } = props
  const t = useT()
  const explain = useExplain()
  const notify = useNotify()
  const mayPlan = useCan('settings:read')
  const bar = useRef<HTMLDivElement>(null)
  const returnFocus = useFocusReturn(bar)
  const { problem, isChanged, lost } = form
  const unread = Object.keys(form.unread)
  const hasChanges = isChanged || unread.length > 0
  if (form.conflicts.length > 0) return <ConflictBar {...props} bar={bar} onChosen={returnFocus} />
  if (!hasChanges && !problem && lost.length === 0) return null
  // A 412 needs a message of its own, because the form already shows the current version.
  const explanation = (refusal: ApiProblem) =>
    refusal.status === 412 ? t('changedMeanwhile') : explain(refusal, { areFieldsShown: true })
  const namesOf = (fields: readonly string[]) => [...new Set(fields.map(nameOf))].join(', ')
  const withSubject = (text: string) => (about ? `${about}: ${text}` : text)
  // The ids must be unique, because a page may show two bars.
  const ariaLabel = (word: 'discard' | 'save') => (about ? { 'aria-label': `${t(word)}: ${about}` } : {})
  const save = async (event: PressEvent) => {
    if (form.isSaving) return
    const saved = await form.save()
    if (!saved) return
    notify.success(withSubject(t('saved')), saved.undo)
    returnFocus(event)
  }
  const discard = (event: PressEvent) => {
    form.discard()
    returnFocus(event)
  }
  return (
    <div ref={bar} className="save-bar">
      <div role={problem ? 'alert' : 'status'}>
        {problem && <p>{withSubject(explanation(problem))}</p>}
        {problem && (
          <Lines
            lines={Object.entries(problem.fields).map(([path, text]) => ({
              key: path,
              text: path === '' ? text : `${nameOf(path)}: ${text}`,
            }))}
          />
        )}
        {!problem && hasChanges && <p>{withSubject(t('unsaved'))}</p>}
        {unread.length > 0 && <p>{t('unread', { fields: namesOf(unread) })}</p>}
        {lost.length > 0 && <p>{t('lost', { fields: namesOf(lost) })}</p>}
      </div>
      <div className="actions">
        {isSetting && mayPlan && isChanged && (
          <Link className="button quiet" href="/as-code">
            {t('plan')}
          </Link>
        )}
        <Button {...ariaLabel('discard')} onPress={discard}>
          {t('discard')}
        </Button>
        <Button
          {...ariaLabel('save')}
          kind="primary"
          data-pending={form.isSaving || undefined}
          isDisabled={!isChanged || unread.length > 0}
          onPress={save}
        >
          {t('save')}
        </Button>
      </div>
    </div>
  )
}

type ConflictBarProps<T extends Record<string, unknown>> = SaveBarProps<T> & {
  bar: RefObject<HTMLDivElement | null>
  onChosen: (event: PressEvent) => void
}
type Choose = (event: PressEvent, whose: 'mine' | 'theirs', conflicts: readonly FormConflict[]) => void

/**
 * If the user and someone else have changed the same places, shows both values. The user chooses for each place or for
 * all of them.
 */
function ConflictBar<T extends Record<string, unknown>>({
  form,
  about,
  nameOf,
  bar,
  onChosen,
}: ConflictBarProps<T>) {
  const t = useT()
  const { conflicts } = form
  const isOne = conflicts.length === 1
  const choose: Choose = (event, whose, chosen) => {
    form.choose(whose, chosen)
    onChosen(event)
  }
  const formatValue = (value: unknown) =>
    summarizeValue(value, { nothing: t('empty'), on: t('on'), off: t('off') })
  const title = t('conflictTitle')
  return (
    <div ref={bar} className="save-bar alert" role="alert">
      <div>
        <strong>{about ? `${about}: ${title}` : title}</strong>
        <p>{t('conflictLead')}</p>
        <Lines
          lines={conflicts.map((conflict) => {
            const field = nameOf(conflict.path)
            const text = conflict.isSecret
              ? t('conflictSecret', { field })
              : t('conflictValues', {
                  field,
                  mine: formatValue(conflict.mine),
                  theirs: formatValue(conflict.theirs),
                })
            return {
              key: conflict.path,
              text,
              actions: !isOne && <Sides conflict={conflict} field={field} choose={choose} />,
            }
          })}
        />
      </div>
      <div className="actions">
        <Button onPress={(event) => choose(event, 'theirs', conflicts)}>
          {t(isOne ? 'theirs' : 'conflictTakeAll')}
        </Button>
        <Button kind="primary" onPress={(event) => choose(event, 'mine', conflicts)}>
          {t(isOne ? 'conflictKeep' : 'conflictKeepAll')}
        </Button>
      </div>
    </div>
  )
}

type SidesProps = { conflict: FormConflict; field: string; choose: Choose }

function Sides({ conflict, field, choose }: SidesProps) {
  const t = useT()
  return (
    <div className="actions sides">
      {(['theirs', 'mine'] as const).map((whose) => (
        <Button
          key={whose}
          aria-label={`${t(whose)}: ${field}`}
          onPress={(event) => choose(event, whose, [conflict])}
        >
          {t(whose)}
        </Button>
      ))}
    </div>
  )
}

/** The maximum number of conflicts to list. A longer list would cover the fields. */
const MAX_LINES = 4

type Line = { key: string; text: string; actions?: ReactNode }

function Lines({ lines }: { lines: readonly Line[] }) {
  const t = useT()
  const more = lines.length - MAX_LINES
  if (lines.length === 0) return null
  return (
    <ul>
      {lines.slice(0, MAX_LINES).map(({ key, text, actions }) => (
        <li key={key}>
          {text}
          {actions}
        </li>
      ))}
      {more > 0 && <li>{t('more', { count: more })}</li>}
    </ul>
  )
}

type Words = Readonly<Record<'nothing' | 'on' | 'off', string>>

/** The maximum length of a value that is shown in a comparison. */
const MAX_LENGTH = 40

/** Formats a value for a comparison, shortened so that it is still recognisable. */
function summarizeValue(value: unknown, words: Words): string {
  switch (typeof value) {
    case 'boolean':
      return value ? words.on : words.off
    case 'string':
      return value === '' ? words.nothing : `“${truncate(value)}”`
    case 'object': {
      if (value === null || Object.keys(value).length === 0) return words.nothing
      const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object')
      return isList ? `“${truncate(value.join(', '))}”` : truncate(JSON.stringify(value))
    }
    default:
      return value === undefined ? words.nothing : String(value)
  }
}

function truncate(text: string): string {
  const characters = [...text]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : text
}
