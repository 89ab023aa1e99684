import type { PageLayout } from '../../contract/experience/experience.ts'
import { escapeHtml } from '../escape-html.ts'

/**
 * What stands around the form (spec/experience#layouts). It is outside the markup that the browser hydrates, so that a layout
 * costs no script (ADR-0070).
 */

/** The class of the document. */
export const layoutClass = ({ type }: PageLayout): string => `layout-${type.toLowerCase()}`

const PICTURE = 'vestibule-picture'

/** The panel beside the form, with its picture. */
export function layoutPicture(layout: PageLayout): string {
  if (layout.type !== 'Split') return ''
  const { pictureUrl } = layout
  // Not waited for, and not loaded in a window that does not show it.
  const picture = pictureUrl
    ? `<source media="(max-width:${SPLIT_FROM - 0.02}px)" srcset="${NO_PICTURE}">` +
      `<img src="${escapeHtml(pictureUrl)}" alt="" fetchpriority="low">`
    : ''
  return `<picture class="${PICTURE}">${picture}</picture>`
}

/** In CSS pixels, as in `client/styles/layout-split.css`. */
const SPLIT_FROM = 900
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
