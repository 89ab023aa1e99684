/**
 * Loads modules that make schemas, after the library that extends zod: a schema that exists before cannot describe itself in
 * OpenAPI. Their imports say so, too, but the bundler does not keep the order of modules in different chunks (ADR-0067). Every
 * `import()` that leads to a `*.schema.ts` is made through it.
 */
export const withSchemaLibrary = <T>(load: () => Promise<T>): Promise<T> =>
  import('@hono/zod-openapi').then(load)
