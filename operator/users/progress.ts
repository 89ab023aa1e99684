import type { Terminal } from '../terminal.ts'

const BAR = 24
const REDRAWN_EVERY = 100 // ms

type Begin = { total: number; done: number; users: number; now(): number }

/** A progress bar with the rate and the remaining time. `total` and `done` are bytes of the file. */
export function showProgress(terminal: Terminal, { total, done: begin, users: before, now }: Begin) {
  const started = now()
  let shownAt = 0
  return (done: number, users: number): void => {
    const time = now()
    if (time - shownAt < REDRAWN_EVERY && done < total) return
    shownAt = time
    const share = total === 0 ? 1 : done / total
    const seconds = Math.max((time - started) / 1000, 0.001)
    const left = ((total - done) * seconds) / (done - begin)
    const bar = '#'.repeat(Math.round(share * BAR)).padEnd(BAR, '-')
    const rate = Math.round((users - before) / seconds)
    terminal.status(`[${bar}] ${Math.floor(share * 100)}%  ${users} users, ${rate}/s  ${clock(left)} left`)
  }
}

function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--:--'
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
