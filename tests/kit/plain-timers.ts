/**
 * Setup of the tests in the Workers runtime. The plugin replaces `setTimeout` and reads in a stack trace, at every call, whether
 * Vitest has called it, which matters for calls without a delay alone. The Worker sets a time limit, with a delay, for
 * every call of a store: the traces were a thirtieth of the time of the tests.
 */
const runtime = globalThis as { hasPlainTimers?: boolean }

if (!runtime.hasPlainTimers) {
  runtime.hasPlainTimers = true
  const { setTimeout: ofPlugin } = globalThis
  const plain: typeof setTimeout = Reflect.get(Object.getPrototypeOf(globalThis), 'setTimeout')
  const chosen = (...given: Parameters<typeof setTimeout>) => {
    const [, delay] = given
    return Reflect.apply(delay ? plain : ofPlugin, globalThis, given)
  }
  Object.assign(globalThis, { setTimeout: chosen })
}
