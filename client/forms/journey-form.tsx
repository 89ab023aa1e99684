import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { INTENT_FIELD } from '../../src/contract/interactions/interaction.ts'
import { useIsHydrated } from '../browser/facts.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import type { AsyncValidator, FieldProblems } from '../journeys/problems.ts'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import type { FormValues, PlacedReaction } from '../reactions/reactions.ts'
import { PendingContext } from '../ui/button.tsx'
import { useIsLongerThan } from '../ui/loading.tsx'
import { InteractionForm } from './interaction-form.tsx'

/**
 * The id of the heading that labels the page's main form. Screen readers announce it with the first field that
 * the user enters.
 */
export const HEADING_ID = 'heading'

/** The time that a click takes. */
const CLICK_MS = 150

/** The duration of a call after which the button says that it is still working. */
const SLOW_MS = 4000 // spec/limits#page-timings

export type JourneyFormProps = {
  /** The form's intent, which identifies its journey in the page table. */
  intent?: string
  /** True if the server's notice belongs to this form. */
  isMain?: boolean
  validate?: AsyncValidator
  /**
   * Asks the user to resolve the only remaining problem, such as missing agreement to the terms. Resolves to true
   * if the form can be sent.
   */
  resolve?: (problems: FieldProblems, form: HTMLFormElement) => Promise<boolean>
  /** Called after a journey, unless the page has been left. */
  onReaction?: (reaction: PlacedReaction) => void
  children: (problems: FieldProblems) => ReactNode
}

/**
 * A form whose journey runs in the browser, or on the server without JavaScript. In either case it is a plain
 * form with an action (spec/pages#forms-without-script).
 */
export function JourneyForm({
  intent = 'send',
  isMain = intent === 'send',
  validate = () => ({}),
  resolve,
  onReaction,
  children,
}: JourneyFormProps) {
  const boot = useBoot()
  const t = useT()
  const { path, search, navigation } = useCurrentPage()
  const { run, running, dismissProblem } = useReactionDispatcher()
  const isHydrated = useIsHydrated()
  const form = useRef<HTMLFormElement>(null)
  const serverProblems =
    isMain && boot.notice?.kind === 'inline' && boot.notice.field !== null
      ? { [boot.notice.field]: boot.notice.message }
      : {}
  const [problems, setProblems] = useState<FieldProblems>(serverProblems)
  const [wasTried, setTried] = useState(false)
  const [pressed, setPressed] = useState('')
  // A call started by a dialog or a link is shown as pending in the main form.
  const isPending = running !== null && (running.hasFields ? running.intent === intent : isMain)
  const isSlow = useIsLongerThan(SLOW_MS, isPending)
  const status = isPending && t(isSlow ? 'vestibule.still_working' : 'vestibule.loading')
  /**
   * The field to focus once its error message has been rendered. Initially, this is the field that the server
   * rejected, if any.
   */
  const toShow = useRef(Object.keys(serverProblems)[0])

  useEffect(() => {
    if (toShow.current === undefined) return
    showField(form.current, toShow.current)
    toShow.current = undefined
  })

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const element = event.currentTarget
    if (running) return
    setTried(true)
    const button = (event.nativeEvent as SubmitEvent).submitter
    const problems = await validate(valuesOf(element), { ...boot, path, search, navigation })
    if (Object.keys(problems).length > 0 && !(await resolve?.(problems, element))) return show(problems)

    setProblems({})
    setPressed(button?.getAttribute('value') ?? '')
    const reaction = await run(intent, valuesOf(element, button), () => {
      // The message disappears together with its retry button, so move the focus to the form's own button.
      button?.focus()
      element.requestSubmit(button)
    })
    if (!reaction) return
    if (reaction.kind === 'inline') {
      if (reaction.field !== null) show({ [reaction.field]: reaction.message })
      if (reaction.clears) clear(element, reaction.clears)
    }
    onReaction?.(reaction)
  }

  function show(fieldProblems: FieldProblems) {
    dismissProblem()
    setProblems(fieldProblems)
    toShow.current = Object.keys(fieldProblems)[0]
  }

  /**
   * Validates a field when it loses focus, but only after the first attempt to submit the form
   * (spec/pages#validation).
   */
  async function validateField({ target, currentTarget }: FocusEvent<HTMLFormElement>) {
    if (!wasTried || !(target instanceof HTMLInputElement)) return
    const values = valuesOf(currentTarget)
    const problems: Record<string, string | undefined> = await validate(values, {
      ...boot,
      path,
      search,
      navigation,
    })
    // A message that opens or closes moves what is below it, so wait for the click that took the focus away.
    await new Promise((resolve) => setTimeout(resolve, CLICK_MS))
    setProblems((current) => ({ ...current, [target.name]: problems[target.name] }))
  }

  return (
    <InteractionForm
      ref={form}
      className="form"
      aria-labelledby={isMain ? HEADING_ID : undefined}
      action={path + queryWithoutInteraction(search)}
      // Without JavaScript, the browser validates the form itself.
      noValidate={isHydrated}
      onSubmit={send}
      onBlur={validateField}
    >
      {intent !== 'send' && <input type="hidden" name={INTENT_FIELD} value={intent} />}
      <PendingContext
        value={isPending ? { value: pressed, text: isSlow && status, isDone: running.isDone } : null}
      >
        {children(problems)}
      </PendingContext>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </InteractionForm>
  )
}

/** Clears the fields whose names begin with `names`, and focuses the first of them. */
function clear(form: HTMLFormElement, names: string): void {
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.name.startsWith(names),
  )
  for (const field of fields) field.value = ''
  fields[0]?.focus()
}

/** Returns the values of the form, including that of the button that submitted it. */
function valuesOf(form: HTMLFormElement, button: HTMLElement | null = null): FormValues {
  const entries = [...new FormData(form, button)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}

/**
 * Focuses a field and scrolls to its message. Focusing a field that is already focused does not scroll, and on a
 * zoomed page the message may be off screen.
 */
function showField(form: HTMLFormElement | null, name: string): void {
  const field = fieldNamed(form, name)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  if (field.type !== 'checkbox') field.select()
  field.closest('.field, .checkbox')?.scrollIntoView({ block: 'nearest' })
}

/**
 * Finds a field by name. For a field that consists of several inputs, returns the first empty input, or else the
 * first.
 */
function fieldNamed(form: HTMLFormElement | null, name: string) {
  const named = form?.elements.namedItem(name)
  if (!(named instanceof HTMLFieldSetElement)) return named
  const inputs = [...named.querySelectorAll('input')]
  return inputs.find(({ value }) => value === '') ?? inputs[0]
}
