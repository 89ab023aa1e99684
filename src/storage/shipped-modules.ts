import modules from '../../build/wasm/index.js'

/**
 * workerd refuses to compile WebAssembly; it runs modules that were shipped with the Worker. Our copy of hash-wasm
 * (`scripts/extract-wasm.mjs`) gives the compiler the name of a module, and gets the module that was shipped under it.
 * Anything else is refused as before.
 *
 * All of it without leaving the current turn of the event loop: hash-wasm holds a lock meanwhile, and a request that
 * is cancelled between two turns would never give it back.
 */
export function installShippedModules(): void {
  const compile = WebAssembly.compile
  WebAssembly.compile = (source) => {
    const module = shipped.get(new TextDecoder().decode(source))
    return module ? Promise.resolve(module) : compile(source)
  }
}

const shipped = new Map(Object.entries(modules))
