import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { PageNotice } from '../../src/contract/boot.ts'
import { INTENT_FIELD, INTERACTION_PARAM, type Step } from '../../src/contract/interaction.ts'
import { currentEntry, wentBack } from '../browser/history.ts'
import { useNativeMessages } from '../browser/native-bridge.ts'
import { TermsLinks } from '../forms/terms.tsx'
import type { Api } from '../journeys/api.ts'
import type { Journeys } from '../journeys/journey.ts'
import type { FormValues } from '../journeys/problems.ts'
import type { Reaction } from '../journeys/reactions.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { Toast } from '../ui/toast.tsx'
import { useAddress, useBoot, useHere, useT } from './boot.tsx'
import { ownQuery } from './own-query.ts'
import { type PageName, usePageModules } from './page-modules.tsx'

/** What a form has to do something about itself. */
export type Said = Extract<Reaction, { kind: 'inline' | 'toast' }>

export type Question = { message: ReactNode; yes: string }

type ReactionDispatcher = {
  isBusy: boolean
  /** Why this interaction can only be begun again (decision 6). It does not come back to life on another page. */
  ended: string | null
  /** Where the visitor was sent, when the browser has not left: an address of an app opens beside this page, or nowhere. */
  externalRedirect: string | null
  /** Makes a journey of this page and does what it says; what the form has to do itself is handed back to it. */
  run: (journeys: Journeys, intent: string, form: FormValues) => Promise<Said | null>
  /** False when the visitor says no or closes the question. */
  ask: (question: Question) => Promise<boolean>
  /** The page a step came from: an address for a link, and the way through the history where there is one. */
  back: (steps: number) => { href: string; go: () => boolean } | null
}

type Confirm = Extract<Reaction, { kind: 'confirm' }>

type Open =
  | Extract<Reaction, { kind: 'alert' }>
  | (Confirm & { go: (() => void) | null })
  | { kind: 'question'; question: Question; answer: (yes: boolean) => void }

const DispatcherContext = createContext<ReactionDispatcher | null>(null)

/** The form that a dialog's yes sends. */
const AGREED = 'agreed'

/** What the server has left open to be answered. */
const openedBy = (notice: PageNotice | null): Open | null =>
  notice?.kind === 'alert' ? notice : notice?.kind === 'confirm' ? { ...notice, go: null } : null

/** A browser that has not left by then stays where it is. */
const LEAVING_MS = 5000

export function useReactions(): ReactionDispatcher {
  const dispatcher = useContext(DispatcherContext)
  if (!dispatcher) throw new Error('drawn outside of <App>')
  return dispatcher
}

/** The network belongs to the browser, so `client/entry.tsx` provides it. Nothing is called while a page is drawn. */
const ApiContext = createContext<Api | null>(null)
export const ApiProvider = ApiContext.Provider

/** The one component that performs reactions (style 8). `pageBefore` is the page table's. */
export function ReactionProvider({
  pageBefore,
  pageAt,
  children,
}: {
  pageBefore: (path: string, steps: number, step: Step | null) => string | null
  pageAt: (path: string) => PageName | null
  children: ReactNode
}) {
  const boot = useBoot()
  const { notice } = boot
  const t = useT()
  const modules = usePageModules()
  const api = useContext(ApiContext)
  const { path, search, step } = useHere()
  const [, navigate] = useLocation()
  const address = useAddress()
  const [isBusy, setBusy] = useState(false)
  /** The journey under way, and the page it belongs to. */
  const running = useRef<{ path: string } | null>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [toast, setToast] = useState<{ message: string; turn: number } | null>(null)
  const [open, setOpened] = useState<Open | null>(openedBy(notice))
  /** Who waits for the answer to the open question. */
  const asked = useRef<(yes: boolean) => void>(undefined)
  const [ended, setEnded] = useState<string | null>(null)
  const [externalRedirect, setExternalRedirect] = useState<string | null>(null)

  // What one page was doing or asking is over with it.
  const [lastPath, setLastPath] = useState(path)
  if (path !== lastPath) {
    setLastPath(path)
    setBusy(false)
    setOpened(null)
    setExternalRedirect(null)
  }
  useEffect(() => {
    if (running.current?.path === path) return
    running.current = null
    asked.current?.(false)
  }, [path])
  useNativeMessages(say)

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

  const dispatcher: ReactionDispatcher = {
    isBusy,
    ended,
    externalRedirect,
    async run(journeys, intent, form) {
      const journey = journeys[intent]
      if (!api || !journey || running.current) return null
      const mine = { path }
      const isCurrent = () => running.current === mine
      running.current = mine
      setBusy(true)
      const reaction = await journey({ api, form, boot: { ...boot, path, search, step } }).catch(unknown)
      if (reaction.kind === 'leave') {
        leave(reaction)
        return null
      }
      // The visitor has gone to another page meanwhile, to which this means nothing.
      if (!isCurrent()) return null
      await perform(reaction, api, isCurrent, (next) => dispatcher.run(journeys, next, form))
      if (isCurrent()) {
        running.current = null
        setBusy(false)
      }
      return reaction.kind === 'inline' || reaction.kind === 'toast' ? reaction : null
    },
    ask: (question) =>
      new Promise((resolve) => {
        setOpen({
          kind: 'question',
          question,
          answer(yes) {
            resolve(yes)
            setOpen(null)
          },
        })
        asked.current = resolve
      }),
    back(steps) {
      const before = pageBefore(path, steps, step)
      return before === null ? null : { href: address(before), go: () => wentBack(steps) }
    },
  }

  return (
    <DispatcherContext value={dispatcher}>
      {children}
      {toast && <Toast key={toast.turn} message={toast.message} onEnd={() => setToast(null)} />}
      {open?.kind === 'alert' && drawAlert(open)}
      {open?.kind === 'confirm' && drawConfirm(open)}
      {open?.kind === 'question' && drawQuestion(open)}
    </DispatcherContext>
  )

  function unknown(error: unknown): Reaction {
    console.error(error)
    return { kind: 'toast', message: t('error.unknown') }
  }

  /** One dialog at a time: the one before it was closed without an answer (contract 10.6). */
  function setOpen(next: Open | null): void {
    asked.current?.(false)
    asked.current = undefined
    setOpened(next)
  }

  /** Stays busy until the browser has left. */
  function leave({ url, replace = false, connectorId }: Extract<Reaction, { kind: 'leave' }>): void {
    const from = location.pathname
    if (replace) location.replace(url)
    else location.assign(url)
    clearTimeout(leaving.current)
    leaving.current = setTimeout(() => {
      if (location.pathname !== from) return
      running.current = null
      setBusy(false)
      // A social provider is a site, which may be slow.
      if (!connectorId) setExternalRedirect(url)
    }, LEAVING_MS)
  }

  async function perform(
    reaction: Exclude<Reaction, { kind: 'leave' }>,
    calls: Api,
    isCurrent: () => boolean,
    goOn: (intent: string) => void,
  ): Promise<void> {
    switch (reaction.kind) {
      case 'goTo': {
        const { step: next, told, replace = false, message = told && t(`description.${told}`) } = reaction
        const here = currentEntry()
        await Promise.all([next && calls.keepStep(next), load(reaction.path)])
        if (!isCurrent()) return
        // Whoever comes back to this page finds what was typed.
        if (next)
          navigate(location.pathname + location.search, { replace: true, state: { ...here, step: next } })
        navigate(address(reaction.path), {
          replace,
          state: { step: next, depth: here.depth + (replace ? 0 : 1) },
        })
        if (message) say(message)
        return
      }
      case 'inline':
      case 'stay':
        return
      case 'toast':
        say(reaction.message)
        return
      case 'alert':
        setOpen(reaction)
        return
      case 'confirm':
        setOpen({ ...reaction, go: () => goOn(reaction.intent) })
        return
      case 'restart':
        setEnded(reaction.message)
        return
    }
  }

  function say(message: string): void {
    setToast((last) => ({ message, turn: (last?.turn ?? 0) + 1 }))
  }

  /** Ahead of the visitor. What cannot be loaded is the page's own affair, which then asks the server. */
  async function load(to: string): Promise<void> {
    const page = pageAt(new URL(to, location.origin).pathname)
    if (page) await modules.load(page).catch(() => {})
  }

  function drawAlert({
    message,
    back: steps,
    button = t('action.got_it'),
  }: Extract<Open, { kind: 'alert' }>) {
    const back = dispatcher.back(steps)
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
              {button}
            </ButtonLink>
          ) : (
            <Button>{button}</Button>
          )}
        </div>
      </Dialog>
    )
  }

  /** Its yes is a form beside the dialog, so that it works where the server has drawn it and no script has come. */
  function drawConfirm({ message, yes, intent, back: steps, about, go }: Extract<Open, { kind: 'confirm' }>) {
    const back = steps > 0 ? dispatcher.back(steps) : null
    const decline = () => {
      setOpen(null)
      if (back && !back.go()) navigate(back.href, { replace: true })
    }
    const agree = (event: FormEvent) => {
      if (!go) return
      event.preventDefault()
      setOpen(null)
      go()
    }
    return (
      <>
        <form id={AGREED} method="post" action={address(path + ownQuery(search))} onSubmit={agree}>
          {boot.interaction && <input type="hidden" name={INTERACTION_PARAM} value={boot.interaction} />}
          <input type="hidden" name={INTENT_FIELD} value={intent} />
        </form>
        <Dialog title={t('description.reminder')} closeLabel={t('vestibule.close')} onClose={decline}>
          <p>{about ? withLink(message, <TermsLinks />) : message}</p>
          <div className="dialog-actions">
            {back ? (
              <ButtonLink
                kind="quiet"
                href={back.href}
                onClick={(event) => {
                  event.preventDefault()
                  decline()
                }}
              >
                {t('action.cancel')}
              </ButtonLink>
            ) : (
              <Button kind="quiet">{t('action.cancel')}</Button>
            )}
            <Button form={AGREED}>{yes}</Button>
          </div>
        </Dialog>
      </>
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
