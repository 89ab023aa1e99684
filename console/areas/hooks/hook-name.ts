import type { HookEvent } from '../../../src/contract/hooks/hooks.ts'

/** Returns the heading of a webhook: its first event, and how many others there are. */
export const describeEvents = ([first, ...others]: readonly HookEvent[]): string =>
  others.length === 0 ? (first ?? '') : `${first} +${others.length}`
