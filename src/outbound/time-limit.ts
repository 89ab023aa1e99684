/** Waits for work that cannot be aborted, up to a time limit. Then rejects and abandons the work. */
export async function withTimeLimit<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(TIMED_OUT)), milliseconds)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

const TIMED_OUT = 'timed out'

/** Checks whether an error says that the time limit has passed. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === TIMED_OUT
