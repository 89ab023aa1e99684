import type { ComponentType } from 'react'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { useApi } from '../api/api-context.ts'
import { isOffline } from '../browser/facts.ts'
import { goBackBy, goToPage } from '../browser/history-entry.ts'
import { leavePage } from '../browser/leaving.ts'
import { getNativeBridge } from '../browser/native-bridge.ts'
import { storeSocialState } from '../browser/social-state.ts'
import { useBoot, useCurrentPage, useInteractionPath, useT } from '../context/boot.tsx'
import type { OpenDialog, ReactionAction, ReactionEffect } from './reaction-reducer.ts'
import type { FormValues, PlacedJourney, PlacedReaction } from './reactions.ts'

/**
 * The page-table functions that the dispatcher needs. They are passed in to avoid a circular import: the table
 * imports the pages, and the pages import the dispatcher.
 */
export type PageTable = {
  findJourney: (path: string, intent: string) => Promise<PlacedJourney | null>
  previousPath: (path: string, pages: number, navigation: NavigationState | null) => string | null
  load: (path: string) => Promise<void>
  /** Loads the content that is shown instead of a page. */
  loadEnding: () => Promise<unknown>
  loadDialog: () => Promise<unknown>
  /** The dialog component, which is rendered only after `loadDialog` has resolved. */
  Dialog: ComponentType<DialogProps>
}

export type DialogProps = {
  dialog: OpenDialog
  back: (to: number | string) => BackLink | null
  onAnswer: (yes: boolean) => void
}

type Dispatch = (action: ReactionAction) => void

/**
 * Returns the functions that perform the effects of reactions outside the dispatcher: calls, changes of the history,
 * and navigation to other documents.
 */
export function useReactionEffects(table: PageTable) {
  const boot = useBoot()
  const t = useT()
  const loadApi = useApi()
  const { path, search, navigation, entry } = useCurrentPage()
  const address = useInteractionPath()

  /** Runs a journey. Returns null if no calls can be made, as in a preview. */
  async function call(intent: string, form: FormValues): Promise<PlacedReaction | null> {
    if (!loadApi) return null
    try {
      const [api, journey] = await Promise.all([loadApi(), table.findJourney(path, intent)])
      if (!journey) throw new Error(`${path} has no form "${intent}"`)
      // The checkbox for the terms may be in another form of the page.
      const agreed =
        entry?.hasAgreed === undefined
          ? navigation
          : { ...navigation, hasAgreed: entry.hasAgreed || undefined }
      const reaction = await journey({ api, form, boot: { ...boot, path, search, navigation: agreed } })
      if (reaction.kind === 'restart') await table.loadEnding()
      if (reaction.kind === 'alert' || reaction.kind === 'confirm') await table.loadDialog()
      return reaction
    } catch (error) {
      console.error(error)
      const tone = isOffline() ? 'offline' : undefined
      const message = t(tone ? 'vestibule.offline' : 'error.unknown')
      return { kind: 'inline', field: null, message, tone, canRepeat: true }
    }
  }

  async function goTo(
    {
      run,
      path: to,
      navigation: next,
      flash,
      message,
      tone,
      hasToast,
      replace = false,
      isSibling,
    }: Extract<ReactionEffect, { kind: 'goTo' }>,
    isCurrent: () => boolean,
    dispatch: Dispatch,
  ): Promise<void> {
    // If loading fails here, the page is loaded later, together with its document.
    await Promise.all([
      next && loadApi?.().then((api) => api.keepNavigation(next)),
      table.load(pathOf(to)).catch(() => {}),
    ])
    if (!isCurrent()) return
    goToPage(address(to), { navigation: next, replace, isSibling })
    dispatch({
      kind: 'arrived',
      run,
      path: pathOf(to),
      done: flash && t(`description.${flash}`),
      problem: message,
      tone,
      hasToast,
    })
  }

  /**
   * Navigates to another document. The journey is considered running until the browser has left the current document.
   */
  async function leave(
    { url, replace = false, connectorId, state = '' }: Extract<PlacedReaction, { kind: 'leave' }>,
    dispatch: Dispatch,
  ): Promise<void> {
    const isProvider = connectorId !== undefined
    if (isProvider) storeSocialState(connectorId, state)
    if (isProvider && getNativeBridge()) {
      const { openInApp } = await import('../browser/open-provider.ts')
      if (openInApp(boot, { connectorId, url })) return dispatch({ kind: 'stayed', url: null })
    }
    leavePage(url, { replace, onStay })

    async function onStay(): Promise<void> {
      // Don't assume that an app has opened, because the website of a social provider may be slow to load.
      if (isProvider) return dispatch({ kind: 'stayed', url: null })
      // The URL seems to have opened an app, so a link to it is shown instead of this page.
      const link = await table.loadEnding().then(
        () => url,
        () => null,
      )
      dispatch({ kind: 'stayed', url: link })
    }
  }

  /**
   * Returns a link to an earlier page, which is a number of pages back or has a certain path: its URL, and a
   * function that goes there through the history if possible. Returns null if there is no such page.
   */
  function back(to: number | string): BackLink | null {
    const before = typeof to === 'string' ? to : table.previousPath(path, to, navigation)
    return before === null
      ? null
      : { href: address(before), go: () => typeof to === 'number' && goBackBy(to) }
  }

  /** Goes to an earlier page. Returns false if neither the history nor the page table has such a page. */
  function goBack(to: number | string): boolean {
    if (typeof to === 'number' && goBackBy(to)) return true
    const link = back(to)
    if (link) goToPage(link.href, { navigation: navigation ?? undefined, replace: true })
    return link !== null
  }

  return { canCall: loadApi !== null, call, goTo, leave, back, goBack }
}

const pathOf = (address: string) => address.split('?', 1)[0] ?? address

export type BackLink = { href: string; go: () => boolean }
