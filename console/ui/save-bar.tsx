import { type ReactNode, type RefObject, useRef } from 'react'
import type { PressEvent } from 'react-aria-components'
import { Link } from 'wouter'
import type { ClashInForm, EntityForm } from '../api/entity-form.ts'
import type { ApiProblem } from '../api/problem.ts'
import { useT } from '../phrases.ts'
import { useMay } from '../session/permissions.tsx'
import { Button } from './button.tsx'
import { useReturnOfFocus } from './focus.ts'
import { useExplanation, useNotify } from './toast.tsx'

type SaveBarProps<T extends Record<string, unknown>> = {
  form: EntityForm<T>
  /** Whether the page "As code" shows what the changes would do: those of users are no settings. */
  isSetting?: boolean
  /** What is saved, where a page has several forms. */
  about?: string
  /** The label of a field, by its path (`config.url`): what is said of a field may be said where it is not seen. */
  nameOf: (path: string) => string
}

/** Below a form: saves, discards, shows why a save was refused, and settles a conflict with another administrator. */
export function SaveBar<T extends Record<string, unknown>>(props: SaveBarProps<T>) {
  const { form, about, isSetting = true, nameOf } = props
  const t = useT()
  const explain = useExplanation()
  const notify = useNotify()
  const mayPlan = useMay('settings:read')
  const bar = useRef<HTMLDivElement>(null)
  const returnFocus = useReturnOfFocus(bar)
  const { problem, isChanged, lost } = form
  const unread = Object.keys(form.unread)
  const hasChanges = isChanged || unread.length > 0
  if (form.clashes.length > 0) return <Conflict {...props} bar={bar} onChosen={returnFocus} />
  if (!hasChanges && !problem && lost.length === 0) return null
  // The form has what is there now.
  const explanation = (refusal: ApiProblem) =>
    refusal.status === 412 ? t('changedMeanwhile') : explain(refusal, { areFieldsShown: true })
  const namesOf = (fields: readonly string[]) => [...new Set(fields.map(nameOf))].join(', ')
  const withSubject = (text: string) => (about ? `${about}: ${text}` : text)
  // Two bars may be there at once.
  const named = (word: 'discard' | 'save') => (about ? { 'aria-label': `${t(word)}: ${about}` } : {})
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
        <Button {...named('discard')} onPress={discard}>
          {t('discard')}
        </Button>
        <Button
          {...named('save')}
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

type ConflictProps<T extends Record<string, unknown>> = SaveBarProps<T> & {
  bar: RefObject<HTMLDivElement | null>
  onChosen: (event: PressEvent) => void
}
type Choose = (event: PressEvent, whose: 'mine' | 'theirs', clashes: readonly ClashInForm[]) => void

/** What somebody else has saved, beside one's own, where both changed the same: one is chosen for each place, or for all. */
function Conflict<T extends Record<string, unknown>>({
  form,
  about,
  nameOf,
  bar,
  onChosen,
}: ConflictProps<T>) {
  const t = useT()
  const { clashes } = form
  const isOne = clashes.length === 1
  const choose: Choose = (event, whose, chosen) => {
    form.choose(whose, chosen)
    onChosen(event)
  }
  const textOf = (value: unknown) => shortValue(value, { nothing: t('empty'), on: t('on'), off: t('off') })
  const title = t('conflictTitle')
  return (
    <div ref={bar} className="save-bar alert" role="alert">
      <div>
        <strong>{about ? `${about}: ${title}` : title}</strong>
        <p>{t('conflictLead')}</p>
        <Lines
          lines={clashes.map((clash) => {
            const field = nameOf(clash.path)
            const text = clash.isSecret
              ? t('conflictSecret', { field })
              : t('conflictValues', { field, mine: textOf(clash.mine), theirs: textOf(clash.theirs) })
            return {
              key: clash.path,
              text,
              actions: !isOne && <Sides clash={clash} field={field} choose={choose} />,
            }
          })}
        />
      </div>
      <div className="actions">
        <Button onPress={(event) => choose(event, 'theirs', clashes)}>
          {t(isOne ? 'theirs' : 'conflictTakeAll')}
        </Button>
        <Button kind="primary" onPress={(event) => choose(event, 'mine', clashes)}>
          {t(isOne ? 'conflictKeep' : 'conflictKeepAll')}
        </Button>
      </div>
    </div>
  )
}

type SidesProps = { clash: ClashInForm; field: string; choose: Choose }

function Sides({ clash, field, choose }: SidesProps) {
  const t = useT()
  return (
    <div className="actions sides">
      {(['theirs', 'mine'] as const).map((whose) => (
        <Button
          key={whose}
          aria-label={`${t(whose)}: ${field}`}
          onPress={(event) => choose(event, whose, [clash])}
        >
          {t(whose)}
        </Button>
      ))}
    </div>
  )
}

/** More would cover what they are about. */
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

/** Characters of a value that is compared with another one in a line. */
const MAX_LENGTH = 40

/** A value of a field, to be recognized. */
function shortValue(value: unknown, words: Words): string {
  switch (typeof value) {
    case 'boolean':
      return value ? words.on : words.off
    case 'string':
      return value === '' ? words.nothing : `“${cut(value)}”`
    case 'object': {
      if (value === null || Object.keys(value).length === 0) return words.nothing
      const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object')
      return isList ? `“${cut(value.join(', '))}”` : cut(JSON.stringify(value))
    }
    default:
      return value === undefined ? words.nothing : String(value)
  }
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : text
}
