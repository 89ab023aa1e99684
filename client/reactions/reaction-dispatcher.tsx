import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useEscape } from '../browser/escape.ts'
import { useRestoredPage } from '../browser/leaving.ts'
import { useNativeMessages } from '../browser/native-bridge.ts'
import { useBoot, useCurrentPage } from '../context/boot.tsx'
import { LoadingVeil } from '../ui/loading.tsx'
import { Toast } from '../ui/toast.tsx'
import { type BackLink, type PageTable, useReactionEffects } from './reaction-effects.ts'
import {
  createInitialState,
  type DialogQuestion,
  isCurrentRun,
  type JourneyRun,
  type ReactionAction,
  type ReactionEffect,
  type ReactionState,
  reduceReactions,
  stateOnPath,
} from './reaction-reducer.ts'
import type { FormValues, PlacedReaction } from './reactions.ts'

type ReactionDispatcher = Pick<ReactionState, 'ended' | 'externalRedirect' | 'problem' | 'running'> & {
  /**
   * Runs a journey of this page, performs its reaction, and returns the reaction, or null if the user has left the
   * page in the meantime.
   */
  run: (intent: string, form: FormValues, sendAgain?: () => void) => Promise<PlacedReaction | null>
  /** Removes the message above the form. Called when the user's next attempt fails validation and no journey runs. */
  dismissProblem: () => void
  /** Asks a question in a dialog. Resolves to false if the user declines or closes the dialog. */
  ask: (question: Omit<DialogQuestion, 'answer'>) => Promise<boolean>
  /**
   * Returns a link that goes back a given number of pages, or to a given path. Returns null if there is no such page.
   */
  back: (to: number | string) => BackLink | null
}

const DispatcherContext = createContext<ReactionDispatcher | null>(null)

export function useReactionDispatcher(): ReactionDispatcher {
  const dispatcher = useContext(DispatcherContext)
  if (!dispatcher) throw new Error('rendered outside of <App>')
  return dispatcher
}

/** Performs all reactions (spec/pages#reactions). */
export function ReactionProvider({ table, children }: { table: PageTable; children: ReactNode }) {
  const { state, dispatch, run, back } = useReactionState(table)
  const { toast, dialog, ...pageState } = state
  const dispatcher: ReactionDispatcher = {
    ...pageState,
    run,
    dismissProblem: () => dispatch({ kind: 'problem', problem: null }),
    ask: async (question) => {
      try {
        await table.loadDialog()
      } catch {
        return false
      }
      return new Promise((answer) => dispatch({ kind: 'asked', question: { ...question, answer } }))
    },
    back,
  }
  return (
    <DispatcherContext value={dispatcher}>
      {children}
      <LoadingVeil isLoading={state.running !== null && !state.running.isDone} />
      {/* This element is always in the document, because screen readers announce only text that appears in an
          existing live region. */}
      <div role="status">
        {toast && <Toast key={toast.turn} {...toast} onEnd={() => dispatch({ kind: 'toastEnded' })} />}
      </div>
      {dialog && (
        <table.Dialog dialog={dialog} back={back} onAnswer={(yes) => dispatch({ kind: 'answered', yes })} />
      )}
    </DispatcherContext>
  )
}

/** Holds the reducer's state for this page. The effects of an action are performed immediately. */
function useReactionState(table: PageTable) {
  const { notice } = useBoot()
  const { path } = useCurrentPage()
  const effects = useReactionEffects(table)
  const [state, setState] = useState(() => createInitialState(path, notice))
  /**
   * The latest state, for use after a journey has waited for a call. `state` is the state of the render in which the
   * journey began.
   */
  const latest = useRef(state)
  const turns = useRef(0)

  function dispatch(action: ReactionAction): void {
    const { state: next, effects } = reduceReactions(latest.current, action)
    latest.current = next
    setState(next)
    effects.forEach(perform)
  }

  const move = useEffectEvent((to: string) => dispatch({ kind: 'moved', path: to }))
  useEffect(() => move(path), [path])
  useNativeMessages((message) => dispatch({ kind: 'problem', problem: { message } }))
  const stay = () => dispatch({ kind: 'stayed', url: null })
  useRestoredPage(stay)
  // After the user has pressed Escape, the response is ignored unless it ends the interaction.
  useEscape(state.running !== null, stay)

  const isUnderWay = (run: JourneyRun) => isCurrentRun(latest.current, run)

  /**
   * Runs a journey of this page, performs its reaction, and returns the reaction, or null if the user has left the
   * page in the meantime. Pass `sendAgain` for a form, which repeats the journey by submitting itself again.
   */
  async function run(
    intent: string,
    form: FormValues,
    sendAgain?: () => void,
  ): Promise<PlacedReaction | null> {
    if (!effects.canCall || latest.current.running) return null
    const repeat = sendAgain ?? (() => run(intent, form))
    const mine: JourneyRun = { intent, turn: ++turns.current, repeat, hasFields: sendAgain !== undefined }
    dispatch({ kind: 'started', run: mine })
    const reaction = await effects.call(intent, form)
    const isMine = isUnderWay(mine)
    if (reaction) dispatch({ kind: 'reacted', run: mine, reaction, form })
    return isMine ? reaction : null
  }

  function perform(effect: ReactionEffect): void {
    switch (effect.kind) {
      case 'goTo':
        effects.goTo(effect, () => isUnderWay(effect.run), dispatch)
        return
      case 'leave':
        effects.leave(effect, dispatch)
        return
      case 'back':
        // Without the pages to go back to, the interaction starts again (spec/pages#reaction-table).
        if (!effects.goBack(effect.to) && effect.to !== 1)
          dispatch({ kind: 'ended', message: effect.message })
        return
      case 'run':
        run(effect.intent, effect.form)
        return
      case 'answer':
        effect.answer(effect.yes)
        return
    }
  }

  return { state: stateOnPath(state, path), dispatch, run, back: effects.back }
}
