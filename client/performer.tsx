import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Api } from './api.ts'
import { useAddress, useBoot, useHere, useT } from './boot.tsx'
import { currentEntry, wentBack } from './browser/history.ts'
import type { Reaction } from './reactions.ts'
import { Button, ButtonLink } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Toast } from './ui/toast.tsx'

type Inline = Extract<Reaction, { kind: 'inline' }>

export type Question = { message: ReactNode; yes: string }

type Performer = {
  isBusy: boolean
  /** Why this interaction can only be begun again (decision 6). It does not come back to life on another page. */
  ended: string | null
  /** Where the visitor was sent, when the browser has not left: an address of an app opens beside this page, or nowhere. */
  handedOver: string | null
  /** Makes a journey and does what it says; what is to be said at a field is handed back to the form. */
  run: (journey: (api: Api) => Promise<Reaction>) => Promise<Inline | null>
  /** False when the visitor says no or closes the question. */
  ask: (question: Question) => Promise<boolean>
  /** The page a step came from: an address for a link, and the way through the history where there is one. */
  back: (steps: number) => { href: string; go: () => boolean } | null
}

type Open =
  | { kind: 'alert'; message: string; back: number }
  | { kind: 'question'; question: Question; answer: (yes: boolean) => void }

const Performing = createContext<Performer | null>(null)

/** A browser that has not left by then stays where it is. */
const LEAVING_MS = 5000

export function usePerformer(): Performer {
  const performer = useContext(Performing)
  if (!performer) throw new Error('drawn outside of <App>')
  return performer
}

/** The network belongs to the browser, so `client/entry.tsx` provides it. Nothing is called while a page is drawn. */
const Calls = createContext<Api | null>(null)
export const ApiProvider = Calls.Provider

/** The one component that performs reactions (style 8). `pageBefore` is the page table's. */
export function PerformerProvider({
  pageBefore,
  children,
}: {
  pageBefore: (path: string, steps: number) => string | null
  children: ReactNode
}) {
  const { notice } = useBoot()
  const t = useT()
  const api = useContext(Calls)
  const { path } = useHere()
  const [, navigate] = useLocation()
  const address = useAddress()
  const [isBusy, setBusy] = useState(false)
  /** The journey under way, and the page it belongs to. */
  const running = useRef<{ path: string } | null>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [toast, setToast] = useState<{ message: string; turn: number } | null>(null)
  const [open, setOpen] = useState<Open | null>(notice?.kind === 'alert' ? notice : null)
  const [ended, setEnded] = useState<string | null>(null)
  const [handedOver, setHandedOver] = useState<string | null>(null)

  // What one page was doing or asking is over with it.
  const [lastPath, setLastPath] = useState(path)
  if (path !== lastPath) {
    setLastPath(path)
    setBusy(false)
    setOpen(null)
    setHandedOver(null)
  }
  useEffect(() => {
    if (running.current?.path !== path) running.current = null
  }, [path])

  // A page that comes back from the browser's cache was frozen on its way out.
  useEffect(() => {
    const thaw = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      clearTimeout(leaving.current)
      running.current = null
      setBusy(false)
    }
    addEventListener('pageshow', thaw)
    return () => removeEventListener('pageshow', thaw)
  }, [])

  const performer: Performer = {
    isBusy,
    ended,
    handedOver,
    async run(journey) {
      if (!api || running.current) return null
      const mine = { path }
      const isCurrent = () => running.current === mine
      running.current = mine
      setBusy(true)
      const reaction = await journey(api).catch(unknown)
      if (reaction.kind === 'leave') {
        leave(reaction)
        return null
      }
      // The visitor has gone to another page meanwhile, to which this means nothing.
      if (!isCurrent()) return null
      await perform(reaction, api, isCurrent)
      if (isCurrent()) {
        running.current = null
        setBusy(false)
      }
      return reaction.kind === 'inline' ? reaction : null
    },
    ask: (question) =>
      new Promise((resolve) => {
        const answer = (yes: boolean) => {
          setOpen(null)
          resolve(yes)
        }
        setOpen({ kind: 'question', question, answer })
      }),
    back(steps) {
      const before = pageBefore(path, steps)
      return before === null ? null : { href: address(before), go: () => wentBack(steps) }
    },
  }

  return (
    <Performing value={performer}>
      {children}
      {toast && <Toast key={toast.turn} message={toast.message} onEnd={() => setToast(null)} />}
      {open?.kind === 'alert' && drawAlert(open)}
      {open?.kind === 'question' && drawQuestion(open)}
    </Performing>
  )

  function unknown(error: unknown): Reaction {
    console.error(error)
    return { kind: 'toast', message: t('error.unknown') }
  }

  /** Stays busy until the browser has left. */
  function leave({ url, replace = false }: Extract<Reaction, { kind: 'leave' }>): void {
    const from = location.pathname
    if (replace) location.replace(url)
    else location.assign(url)
    clearTimeout(leaving.current)
    leaving.current = setTimeout(() => {
      if (location.pathname !== from) return
      running.current = null
      setBusy(false)
      setHandedOver(url)
    }, LEAVING_MS)
  }

  async function perform(
    reaction: Exclude<Reaction, { kind: 'leave' }>,
    calls: Api,
    isCurrent: () => boolean,
  ): Promise<void> {
    switch (reaction.kind) {
      case 'goTo': {
        const { step, replace = false } = reaction
        const here = currentEntry()
        if (step) {
          await calls.keepStep(step)
          if (!isCurrent()) return
          // Whoever comes back to this page finds what was typed.
          navigate(location.pathname + location.search, { replace: true, state: { ...here, step } })
        }
        navigate(address(reaction.path), { replace, state: { step, depth: here.depth + (replace ? 0 : 1) } })
        return
      }
      case 'inline':
        return
      case 'toast':
        setToast((last) => ({ message: reaction.message, turn: (last?.turn ?? 0) + 1 }))
        return
      case 'alert':
        setOpen(reaction)
        return
      case 'restart':
        setEnded(reaction.message)
        return
    }
  }

  function drawAlert({ message, back: steps }: Extract<Open, { kind: 'alert' }>) {
    const back = performer.back(steps)
    const leave = () => {
      setOpen(null)
      if (back && !back.go()) navigate(back.href, { replace: true })
    }
    return (
      <Dialog title={t('description.reminder')} closeLabel={t('vestibule.close')} onClose={leave}>
        <p>{message}</p>
        <div className="dialog-actions">
          {back ? (
            <ButtonLink
              href={back.href}
              onClick={(event) => {
                event.preventDefault()
                leave()
              }}
            >
              {t('action.got_it')}
            </ButtonLink>
          ) : (
            <Button>{t('action.got_it')}</Button>
          )}
        </div>
      </Dialog>
    )
  }

  function drawQuestion({ question, answer }: Extract<Open, { kind: 'question' }>) {
    return (
      <Dialog
        title={t('description.reminder')}
        closeLabel={t('vestibule.close')}
        onClose={() => answer(false)}
      >
        <p>{question.message}</p>
        <div className="dialog-actions">
          <Button kind="quiet">{t('action.cancel')}</Button>
          <Button type="button" onClick={() => answer(true)}>
            {question.yes}
          </Button>
        </div>
      </Dialog>
    )
  }
}
