import type { Page } from 'playwright'

/** Milliseconds, one for each turn. */
export type PreviewLatency = {
  /** From an input event in the field of the brand colour to the end of the frame that shows the colour in the preview. */
  changes: number[]
  /** From the beginning of a frame without work to that of the next. */
  frames: number[]
}

/** On the console's page of the brand, once its preview shows the sign-in page. */
export const previewLatency = (page: Page, turns: number): Promise<PreviewLatency> =>
  page.evaluate(measure, turns)

/** Runs in the page, so it refers to nothing outside of this function. The frame is of the same origin and the same process. */
async function measure(turns: number): Promise<PreviewLatency> {
  const field = document.querySelector<HTMLInputElement>('.color-field input:not([type=color])')
  const preview = document.querySelector('iframe')?.contentWindow
  if (!field || !preview) throw new Error('no field of the brand colour beside a preview')
  const nextFrame = () => new Promise<number>((resolve) => preview.requestAnimationFrame(resolve))
  /** A task that waits behind the frame that is being drawn. */
  const afterFrame = () =>
    new Promise<number>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(null)
    })
  const shown = () =>
    getComputedStyle(preview.document.documentElement).getPropertyValue('--color-brand-default').toLowerCase()
  // React reads the value by a setter of its own, which sees no change in what has gone through it.
  const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

  const changes: number[] = []
  const frames: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const quiet = await nextFrame()
    frames.push((await nextFrame()) - quiet)
    const color = `#0088${(turn + 16).toString(16).padStart(2, '0')}`
    type?.call(field, color)
    const begun = performance.now()
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    do {
      if (performance.now() - begun > 10_000) throw new Error(`the preview does not show ${color}`)
      await nextFrame()
    } while (shown() !== color)
    changes.push((await afterFrame()) - begun)
  }
  return { changes, frames }
}
