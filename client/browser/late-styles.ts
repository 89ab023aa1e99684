/**
 * A page has the style rules that it can need itself; the whole sheet comes before anything else is shown (ADR-0068). It
 * repeats the rules of the page, so that nothing changes when it arrives, and stands before the operator's CSS.
 */
export function loadStyles(): Promise<unknown> {
  loading ??= addSheet()
  return loading
}

let loading: Promise<unknown> | undefined

function addSheet(): Promise<unknown> {
  return new Promise((loaded, failed) => {
    const address = document.querySelector<HTMLElement>('[data-styles]')?.dataset.styles
    // A preview has all of its styles in it.
    if (!address) return loaded(null)
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.onload = loaded
    link.onerror = (event) => {
      loading = undefined
      link.remove()
      failed(event)
    }
    document.querySelector('style')?.after(link)
  })
}
