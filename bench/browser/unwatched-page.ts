import type { Browser, CDPSession } from 'playwright'
import type { SavedBrowser } from './sign-in.ts'

/**
 * A page without a debugger. Playwright attaches a debugger to its own pages, which makes V8 parse the script again to
 * find the position of every error. On a slowed CPU this takes as long as hydrating our page.
 */
export type UnwatchedPage = {
  send(method: string, parameters?: object): Promise<unknown>
  /** Evaluates an expression in the page and returns its value. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}

type Message = { id?: number; result?: unknown; error?: { message: string } }

/** Opens a page in a new browser context, with the cookies of a saved browser. */
export async function openUnwatched(browser: Browser, { state }: SavedBrowser): Promise<UnwatchedPage> {
  const cdp = await browser.newBrowserCDPSession()
  const { browserContextId } = await cdp.send('Target.createBrowserContext')
  const cookies = state.cookies.map(({ expires, ...cookie }) => ({
    ...cookie,
    // Playwright writes -1 for a session cookie.
    ...(expires > 0 && { expires }),
  }))
  await cdp.send('Storage.setCookies', { browserContextId, cookies })
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false })
  const send = messenger(cdp, sessionId)
  return {
    send,
    async evaluate(expression) {
      const response = await send('Runtime.evaluate', { expression, returnByValue: true })
      return (response as { result: { value: unknown } }).result.value
    },
    async close() {
      await cdp.send('Target.disposeBrowserContext', { browserContextId })
      await cdp.detach()
    },
  }
}

/** Wraps the protocol messages of one page in messages to the browser. */
function messenger(cdp: CDPSession, sessionId: string): UnwatchedPage['send'] {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  cdp.on('Target.receivedMessageFromTarget', (event) => {
    const { id = 0, result, error }: Message = event.sessionId === sessionId ? JSON.parse(event.message) : {}
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
  })
  return async (method, params = {}) => {
    const id = waiting.size + 1
    const response = Promise.withResolvers<unknown>()
    waiting.set(id, response)
    await cdp.send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    })
    return response.promise
  }
}
