import type { PageLayout } from '../../src/contract/experience/experience.ts'
import { layoutClass, renderLayoutPicture } from '../../src/domain/experience/page-layout.ts'
import { setLayoutClass } from './arrival.ts'
import { setThemeClass } from './theme.ts'

/**
 * Controls the document of a preview, which the operator's console shows in a frame or a window
 * (spec/experience#preview).
 */

/** Calls the listener with each message from a trusted origin. */
export function listenForTrustedMessages(
  trusted: readonly string[],
  listener: (data: unknown) => void,
): void {
  addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    if (trusted.includes(origin)) listener(data)
  })
}

/**
 * Tells the window that shows this preview that the preview is ready to receive messages. Messages sent earlier would
 * be lost.
 */
export function announceReady(trusted: readonly string[]): void {
  const console = window.parent === window ? window.opener : window.parent
  if (!console) return
  // Browsers log an error for a message whose target origin does not match, so send the message only to the known
  // origin, if there is one.
  const shownBy = location.ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin
  const known = trusted.filter((origin) => origin === shownBy)
  for (const origin of known.length > 0 ? known : trusted) {
    console.postMessage({ sender: 'vestibule_preview_ready' }, origin)
  }
}

/** Applies everything that a page load would have set: language, title, layout and path. */
export function updateDocument({
  path,
  language,
  direction,
  title,
  layout,
  platform,
}: {
  path: string
  language: string
  direction: 'ltr' | 'rtl'
  title: string
  layout: PageLayout
  platform: 'web' | 'mobile'
}): void {
  document.documentElement.lang = language
  document.documentElement.dir = direction
  document.title = title
  setLayoutClass(platform)
  showAround(layout)
  if (location.pathname !== path) history.replaceState(null, '', path + location.search)
}

/** Updates the layout around the page. An unchanged picture is kept, so that messages do not reload it. */
function showAround(layout: PageLayout): void {
  document.documentElement.className = layoutClass(layout)
  const markup = renderLayoutPicture(layout)
  const picture = document.querySelector<HTMLElement>('body > .vestibule-picture')
  if (picture?.dataset.markup === markup) return
  picture?.remove()
  document.body.insertAdjacentHTML('afterbegin', markup)
  const added = document.querySelector<HTMLElement>('body > .vestibule-picture')
  if (added) added.dataset.markup = markup
}

/** Shows the given theme, because a preview does not follow the system theme (spec/experience#preview). */
export function forceTheme(theme: 'light' | 'dark'): void {
  document.documentElement.dataset.theme = theme
  setThemeClass(theme)
}

/**
 * Creates style sheets for the operator's colours and custom CSS, and returns a function that replaces their
 * contents. Style sheets created by a script need no nonce.
 */
export function createPreviewStyles(): (css: { brand: string; custom: string }) => void {
  const brand = new CSSStyleSheet()
  const custom = new CSSStyleSheet()
  document.adoptedStyleSheets = [brand, custom]
  return (css) => {
    brand.replaceSync(css.brand)
    custom.replaceSync(css.custom)
  }
}
