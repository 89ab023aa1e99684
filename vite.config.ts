import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** The demo application is a page of its own. */
const DEMO = 'client/demo/main.ts'

// Whoever builds, a test run among them, builds what visitors get.
process.env.NODE_ENV = 'production'

export default defineConfig({
  publicDir: 'client/public',
  plugins: [react(), apiDocs(), serverManifest('build/manifest.json')],
  build: {
    outDir: 'build/client',
    emptyOutDir: true,
    // The server names what a page needs (`preload`); what is imported later has nothing to preload.
    modulePreload: false,
    rolldownOptions: {
      // The name of the product is no reason for the pages and the demo to share a file.
      optimization: { inlineConst: true },
      input: {
        entry: 'client/entry.tsx',
        styles: 'client/styles/index.css',
        ...(existsSync(DEMO) && { demo: DEMO, demoStyles: 'client/demo/demo.css' }),
      },
    },
  },
})

/** What draws /api/docs, as it comes from its makers; with their licence. */
function apiDocs(): Plugin {
  return {
    name: 'api-docs',
    apply: 'build',
    async generateBundle() {
      for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
        const source = await readFile(`node_modules/swagger-ui-dist/${name}`, 'utf8')
        // Its map stays where it is.
        const text = source.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=.*$/m, '')
        this.emitFile({ type: 'asset', fileName: `api-docs/${name}`, source: text })
      }
    },
  }
}

/** Tells the server what was built (`src/web/assets.ts`): addresses of modules, and the styles it puts into pages. */
function serverManifest(path: string): Plugin {
  return {
    name: 'server-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = Object.values(bundle)
        const entry = entryNamed(files, 'entry')
        const demo = entryNamed(files, 'demo')
        // Nobody fetches them: they travel inside the pages.
        const styles = takeStyles(bundle, 'styles.css')
        const demoStyles = takeStyles(bundle, 'demoStyles.css')
        if (!entry || styles === undefined) throw new Error('the build made no entry or no styles')

        const manifest = {
          entry: address(entry.fileName),
          preload: importsOf(entry, bundle).map(address),
          css: withDarkBySystem(styles),
          ...(demo && { demo: { entry: address(demo.fileName), css: demoStyles ?? '' } }),
        }
        await mkdir('build', { recursive: true })
        await writeFile(path, JSON.stringify(manifest))
      },
    },
  }
}

/** The text of a style sheet, which the bundle is then without. */
function takeStyles(bundle: Rolldown.OutputBundle, name: string): string | undefined {
  const file = Object.values(bundle).find((each) => each.type === 'asset' && each.names.includes(name))
  if (file?.type !== 'asset') return undefined
  delete bundle[file.fileName]
  return String(file.source)
}

const address = (fileName: string) => `/${fileName}`

function entryNamed(files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[], name: string) {
  return files.find(
    (file): file is Rolldown.OutputChunk => file.type === 'chunk' && file.isEntry && file.name === name,
  )
}

/** Everything that must be there before the module runs. */
function importsOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>()
  const look = (fileName: string) => {
    const file = bundle[fileName]
    if (file?.type !== 'chunk' || found.has(fileName)) return
    found.add(fileName)
    file.imports.forEach(look)
  }
  chunk.imports.forEach(look)
  return [...found]
}

/** Repeats the rule of `styles/dark.css` for systems that are dark, where the operator allows the dark theme. */
function withDarkBySystem(css: string): string {
  const [rule, declarations] = /html\[data-theme=dark\]\{([^}]*)\}/.exec(css) ?? []
  if (!rule) throw new Error('the styles have no dark theme')
  const bySystem = `@media (prefers-color-scheme:dark){html[data-dark-mode=true]:not([data-theme]){${declarations}}}`
  return css.replace(rule, rule + bySystem)
}
