/** What was looked at, how it is, and what to do about it. */
export type Finding = {
  check: string
  /** `unknown` could not be looked at, which is nobody's fault. */
  state: 'ok' | 'warn' | 'fail' | 'unknown'
  says: string
  todo?: string
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warn = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'warn',
  says,
  todo,
})
export const fail = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'fail',
  says,
  todo,
})
export const unknown = (check: string, says: string): Finding => ({ check, state: 'unknown', says })
