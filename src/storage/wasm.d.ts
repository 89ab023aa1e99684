declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}

// Written by `scripts/extract-wasm.mjs`, and declared here for a checkout that was never built.
declare module '*/build/wasm/index.js' {
  const modules: Record<string, WebAssembly.Module>
  export default modules
}
declare module '*/build/wasm/hash-wasm.js' {
  export * from 'hash-wasm'
}
