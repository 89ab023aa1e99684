import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useEscape } from '../browser/escape.ts'
import { useRestoredPage } from '../browser/leaving.ts'
import { useNativeMessages } from '../browser/native-bridge.ts'
import { useBoot, useHere } from '../context/boot.tsx'
import { type PageTable, useReactionEffects } from './reaction-effects.ts'
import {
  initialState,
  isCurrent,
  type JourneyRun,
  onPath,
  type ReactionAction,
  type ReactionEffect,
  reduceReactions,
} from './reaction-reducer.ts'
import type { FormValues, Reaction } from './reactions.ts'

/** The state of the reducer on this page. Effects are performed as soon as an action has caused them. */
export function useReactionState(table: PageTable) {
  const { notice } = useBoot()
  const { path } = useHere()
  const effects = useReactionEffects(table)
  const [state, setState] = useState(() => initialState(path, notice))
  /** For a journey that has waited: `state` is that of the render in which it began. */
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
  // The answer is then ignored, unless it finishes the interaction.
  useEscape(state.running !== null, stay)

  const isUnderWay = (run: JourneyRun) => isCurrent(latest.current, run)

  /** Runs a journey of this page and performs its reaction, which is returned unless the page was left. A form sends itself again. */
  async function run(intent: string, form: FormValues, sendAgain?: () => void): Promise<Reaction | null> {
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

  return { state: onPath(state, path), dispatch, run, back: effects.back }
}
