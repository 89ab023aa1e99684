import type { PageLayout } from '../../contract/experience/experience.ts'
import { escapeHtml } from '../escape-html.ts'

/**
 * The parts of a page around the form (spec/experience#layouts). They are outside the markup that the browser hydrates,
 * so layouts need no JavaScript (ADR-0070).
 */

/** Returns the CSS class of the layout, for the document element. */
export const layoutClass = ({ type }: PageLayout): string => `layout-${type.toLowerCase()}`

const PICTURE = 'vestibule-picture'

/** Renders the panel next to the form, with the operator's picture. */
export function renderLayoutPicture(layout: PageLayout): string {
  if (layout.type !== 'Split') return ''
  const { pictureUrl } = layout
  // The picture does not delay rendering. Narrow windows, which do not show the picture, do not load it.
  const picture = pictureUrl
    ? `<source media="(max-width:${SPLIT_FROM - 0.02}px)" srcset="${NO_PICTURE}">` +
      `<img src="${escapeHtml(pictureUrl)}" alt="" fetchpriority="low">`
    : ''
  return `<picture class="${PICTURE}">${picture}</picture>`
}

/**
 * The minimum window width, in CSS pixels, at which the panel appears. It must match `client/styles/layout-split.css`.
 */
const SPLIT_FROM = 900
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
