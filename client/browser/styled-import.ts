/**
 * The build wraps this around each `import()` of a module with styles (`vite.config.ts`). It waits for the sheets that the page lacks. They
 * stand before the operator's CSS, in any order (`client/styles/shell.css`).
 */
export async function styledImport<T>(load: () => Promise<T>, files: readonly string[]): Promise<T> {
  const [module] = await Promise.all([load(), ...files.map(addSheet)])
  return module
}

const addSheet = (file: string) =>
  new Promise<void>((loaded, failed) => {
    // The server names those that are part of the page.
    if (document.querySelector(`[data-styles*="${file}"]`)) return loaded()
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = `/${file}`
    link.onload = () => {
      link.dataset.styles = file
      loaded()
    }
    link.onerror = failed
    document.querySelector('style')?.after(link)
  })
