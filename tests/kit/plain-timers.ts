/**
 * Setup of the tests in the Workers runtime. The plugin replaces `setTimeout` and, at every call, reads from a stack
 * trace whether Vitest called it, which only matters for calls without a delay. The Worker sets a time limit, with a
 * delay, for every call to a store, and the traces took a thirtieth of the time of the tests.
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
