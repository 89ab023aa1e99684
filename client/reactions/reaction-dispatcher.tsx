import { createContext, type ReactNode, useContext } from 'react'
import { Toast } from '../ui/toast.tsx'
import type { BackLink, PageTable } from './reaction-effects.ts'
import type { DialogQuestion, JourneyRun, ReactionState } from './reaction-reducer.ts'
import { useReactionState } from './reaction-state.ts'
import type { FormValues, Reaction } from './reactions.ts'

type ReactionDispatcher = Pick<ReactionState, 'ended' | 'externalRedirect' | 'problem'> & {
  /** The journey under way. */
  running: JourneyRun | null
  isBusy: boolean
  /** Runs a journey of this page and performs its reaction, which is returned unless the page was left. */
  run: (intent: string, form: FormValues, sendAgain?: () => void) => Promise<Reaction | null>
  /** Ends the message above the form: the next try has begun, and goes no further than the form. */
  dismissProblem: () => void
  /** False when the user says no or closes the question. */
  ask: (question: Omit<DialogQuestion, 'answer'>) => Promise<boolean>
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
  const { state, dispatch, run, back } = useReactionState(table)
  const { ended, externalRedirect, problem, running, toast, dialog } = state
  const dispatcher: ReactionDispatcher = {
    ended,
    externalRedirect,
    problem,
    running,
    isBusy: running !== null,
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
      {/* In the document before there is a toast: screen readers announce what appears in it. */}
      <div role="status">
        {toast && (
          <Toast key={toast.turn} message={toast.message} onEnd={() => dispatch({ kind: 'toastEnded' })} />
        )}
      </div>
      {dialog && (
        <table.Dialog dialog={dialog} back={back} onAnswer={(yes) => dispatch({ kind: 'answered', yes })} />
      )}
    </DispatcherContext>
  )
}
