import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PageNotice } from '../../src/contract/boot.ts'
import { useRestoredPage } from '../browser/leaving.ts'
import { useNativeMessages } from '../browser/native-bridge.ts'
import type { FormValues, Reaction } from '../journeys/reactions.ts'
import { Toast } from '../ui/toast.tsx'
import { useBoot, useHere } from './boot.tsx'
import { ReactionDialog } from './dialogs.tsx'
import { type BackLink, type PageTable, useReactionEffects } from './reaction-effects.ts'
import {
  initialState,
  isCurrent,
  onPath,
  type Question,
  type ReactionAction,
  type ReactionEffect,
  type ReactionState,
  type Run,
  reduceReactions,
} from './reaction-reducer.ts'

type ReactionDispatcher = Pick<ReactionState, 'ended' | 'externalRedirect'> & {
  /** The intent of the journey under way. */
  running: string | null
  isBusy: boolean
  /** Runs a journey of this page and performs its reaction, which is returned unless the page was left. */
  run: (intent: string, form: FormValues) => Promise<Reaction | null>
  /** False when the user says no or closes the question. */
  ask: (question: Omit<Question, 'answer'>) => Promise<boolean>
  /** The page so many before this one. */
  back: (pages: number) => BackLink | null
}

const DispatcherContext = createContext<ReactionDispatcher | null>(null)

export function useReactions(): ReactionDispatcher {
  const dispatcher = useContext(DispatcherContext)
  if (!dispatcher) throw new Error('rendered outside of <App>')
  return dispatcher
}

/** The one component that performs reactions (spec/pages#reactions). */
export function ReactionProvider({ table, children }: { table: PageTable; children: ReactNode }) {
  const { notice } = useBoot()
  const { path } = useHere()
  const effects = useReactionEffects(table)
  const { state, latest, dispatch } = useReactionState(path, notice, perform)
  const turns = useRef(0)
  useNativeMessages((message) => dispatch({ kind: 'toast', message }))
  useRestoredPage(() => dispatch({ kind: 'stayed', url: null }))

  const isUnderWay = (run: Run) => isCurrent(latest.current, run)

  async function run(intent: string, form: FormValues): Promise<Reaction | null> {
    if (!effects.isOnline || latest.current.running) return null
    const mine: Run = { intent, turn: ++turns.current }
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
        effects.goBack(effect.pages)
        return
      case 'run':
        run(effect.intent, effect.form)
        return
      case 'answer':
        effect.answer(effect.yes)
        return
    }
  }

  const { ended, externalRedirect, running, toast, dialog } = state
  const ask: ReactionDispatcher['ask'] = (question) =>
    new Promise((answer) => dispatch({ kind: 'asked', question: { ...question, answer } }))
  return (
    <DispatcherContext
      value={{
        ended,
        externalRedirect,
        running: running?.intent ?? null,
        isBusy: running !== null,
        run,
        ask,
        back: effects.back,
      }}
    >
      {children}
      {toast && (
        <Toast
          key={toast.turn}
          message={toast.message}
          onEnd={() => dispatch({ kind: 'toast', message: null })}
        />
      )}
      {dialog && (
        <ReactionDialog
          dialog={dialog}
          back={effects.back}
          onAnswer={(yes) => dispatch({ kind: 'answered', yes })}
        />
      )}
    </DispatcherContext>
  )
}

/** The state of the reducer for this page. Effects are performed as soon as an action has caused them. */
function useReactionState(
  path: string,
  notice: PageNotice | null,
  perform: (effect: ReactionEffect) => void,
) {
  const [state, setState] = useState(() => initialState(path, notice))
  /** What a journey that has been waiting finds: `state` is that of the render in which it began. */
  const latest = useRef(state)

  function dispatch(action: ReactionAction): void {
    const { state: next, effects } = reduceReactions(latest.current, action)
    latest.current = next
    setState(next)
    effects.forEach(perform)
  }

  const move = useEffectEvent((to: string) => dispatch({ kind: 'moved', path: to }))
  useEffect(() => move(path), [path])

  return { state: onPath(state, path), latest, dispatch }
}
