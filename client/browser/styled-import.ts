/**
 * Imports a module after its style sheets have been loaded. The build wraps this function around each `import()`
 * of a module with styles (`vite.config.ts`). The style sheets come before the operator's CSS, in any order
 * (`client/styles/shell.css`).
 */
export async function importWithStyles<T>(load: () => Promise<T>, files: readonly string[]): Promise<T> {
  const [module] = await Promise.all([load(), ...files.map(addSheet)])
  return module
}

const addSheet = (file: string) =>
  new Promise<void>((loaded, failed) => {
    // Skip a style sheet that the page already contains. The server lists these in `data-styles`.
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
