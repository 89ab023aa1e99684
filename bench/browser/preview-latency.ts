import type { Page } from 'playwright'

/** The durations in milliseconds, one per round. */
export type PreviewLatency = {
  /** The time from an input event in the brand colour field to the end of the frame that shows the colour. */
  changes: number[]
  /** The time from the beginning of an idle frame to the beginning of the next frame. */
  frames: number[]
}

/** Measures the latency on the console's branding page once the preview shows the sign-in page. */
export const previewLatency = (page: Page, turns: number): Promise<PreviewLatency> =>
  page.evaluate(measure, turns)

/**
 * Runs in the page, so it cannot refer to anything outside this function. The iframe has the same origin and process.
 */
async function measure(turns: number): Promise<PreviewLatency> {
  const field = document.querySelector<HTMLInputElement>('.color-field input:not([type=color])')
  const preview = document.querySelector('iframe')?.contentWindow
  if (!field || !preview) throw new Error('the page has no brand color field beside a preview')
  const nextFrame = () => new Promise<number>((resolve) => preview.requestAnimationFrame(resolve))
  /** Resolves in a task that runs after the current frame has been drawn. */
  const afterFrame = () =>
    new Promise<number>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(null)
    })
  const previewColor = () =>
    getComputedStyle(preview.document.documentElement).getPropertyValue('--color-brand-default').toLowerCase()
  // React intercepts the element's own setter and ignores input events for values that were set through it.
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

  const changes: number[] = []
  const frames: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const frameStart = await nextFrame()
    frames.push((await nextFrame()) - frameStart)
    const color = `#0088${(turn + 16).toString(16).padStart(2, '0')}`
    setValue?.call(field, color)
    const startedAt = performance.now()
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    do {
      if (performance.now() - startedAt > 10_000) throw new Error(`the preview does not show ${color}`)
      await nextFrame()
    } while (previewColor() !== color)
    changes.push((await afterFrame()) - startedAt)
  }
  return { changes, frames }
}
