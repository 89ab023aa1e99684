/** The result of one check, and what to do about it. */
export type Finding = {
  check: string
  /** `unknown`: the check could not be made. */
  state: 'ok' | 'warn' | 'fail' | 'unknown'
  says: string
  todo?: string
}

export const okFinding = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warnFinding = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'warn',
  says,
  todo,
})
export const failFinding = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'fail',
  says,
  todo,
})
export const unknownFinding = (check: string, says: string): Finding => ({ check, state: 'unknown', says })
