/**
 * A setup file for tests in the Workers runtime. The Vitest plugin replaces `setTimeout` with a function that
 * takes a stack trace at every call, in order to detect calls by Vitest itself. Only calls without a delay
 * need this, but the Worker also sets a timeout for every call to a store, and the stack traces took a
 * thirtieth of the tests' time.
 */
const runtime = globalThis as { hasPlainTimers?: boolean }

if (!runtime.hasPlainTimers) {
  runtime.hasPlainTimers = true
  const { setTimeout: pluginSetTimeout } = globalThis
  const plainSetTimeout: typeof setTimeout = Reflect.get(Object.getPrototypeOf(globalThis), 'setTimeout')
  const chooseSetTimeout = (...args: Parameters<typeof setTimeout>) => {
    const [, delay] = args
    return Reflect.apply(delay ? plainSetTimeout : pluginSetTimeout, globalThis, args)
  }
  Object.assign(globalThis, { setTimeout: chooseSetTimeout })
}
