import modules from '../../build/wasm/index.js'

/**
 * Makes `WebAssembly.compile` resolve a module name to the module that was bundled under this name
 * (scripts/extract-wasm.mjs); any other input is rejected as usual. It never yields to the event loop, because
 * hash-wasm holds a lock that a cancelled request would not release.
 */
export function installShippedModules(): void {
  const compile = WebAssembly.compile
  WebAssembly.compile = (source) => {
    const module = shipped.get(new TextDecoder().decode(source))
    return module ? Promise.resolve(module) : compile(source)
  }
}

const shipped = new Map(Object.entries(modules))
