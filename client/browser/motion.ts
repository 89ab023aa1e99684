import { getCurrentHistoryEntry } from './history-entry.ts'

const prefersStillness = () => matchMedia('(prefers-reduced-motion)').matches

/** The depth of the previous page in the history, to tell a step back from a step forwards. */
let lastDepth = 0

/** Slides in the content of a page to which the user has come, unless the browser loads it (spec/pages#motion). */
export function slideIn(isLoad: boolean): void {
  const content = document.querySelector('.content')
  // Content that is still being loaded comes later, from the same side.
  if (!content) return
  const { depth } = getCurrentHistoryEntry()
  const isBack = depth < lastDepth
  lastDepth = depth
  if (isLoad || prefersStillness()) return
  const from = isBack === (document.dir === 'rtl') ? 12 : -12
  content.animate(
    { opacity: [0, 1], translate: [`${from}px`, 'none'] },
    { duration: 220, easing: 'ease-out' },
  )
}

/** Lets a line grow for eight seconds, more and more slowly. Under reduced motion it is complete at once. */
export function animateProgress(line: HTMLElement | null): void {
  if (!line || prefersStillness()) return
  line.style.transformOrigin = document.dir === 'rtl' ? 'right' : 'left'
  line.animate(
    { transform: ['scaleX(0)', 'none'] },
    { duration: 8000, easing: 'cubic-bezier(0.1,0.6,0.2,1)' },
  )
}
