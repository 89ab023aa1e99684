import { setTimeout as wait } from 'node:timers/promises'
import type { LocalServer } from './local-server.ts'

/**
 * The isolate of the Worker, inspected through its debugger. The local database and KV run in isolates of their own.
 */
export type Isolate = {
  /** Returns the bytes in use after garbage collection, including objects and buffers. */
  usedBytes(): Promise<number>
  close(): void
}

const WORKER_FOLDER = 'core:user:vestibule'
const POLL_INTERVAL = 20

type HeapUsage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number }

export async function openIsolate({
  inspector,
  bare,
}: Pick<LocalServer, 'inspector' | 'bare'>): Promise<Isolate> {
  if (!inspector) throw new Error('The local server runs without an inspector')
  const { send, close } = await openDebugger(`ws://${inspector.host}/${WORKER_FOLDER}`)
  await send('HeapProfiler.enable')
  return {
    async usedBytes() {
      let isCollected = false
      const collected = send('HeapProfiler.collectGarbage').then(() => {
        isCollected = true
      })
      // An isolate only collects garbage while it runs, and an idle one doesn't run.
      while (!isCollected) {
        await (await fetch(`${bare}/bench/empty`)).arrayBuffer()
        await wait(POLL_INTERVAL)
      }
      await collected
      const usage = (await send('Runtime.getHeapUsage')) as HeapUsage
      return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize
    },
    close,
  }
}

/** Connects to a WebSocket of the Chrome DevTools Protocol. */
async function openDebugger(address: string) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let last = 0
  return {
    send: (method: string) =>
      new Promise<unknown>((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        socket.send(JSON.stringify({ id, method }))
      }),
    close: () => socket.close(),
  }
}
