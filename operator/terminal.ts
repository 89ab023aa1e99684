import { createInterface } from 'node:readline/promises'
import { stripVTControlCharacters, styleText } from 'node:util'
import type { Environment } from './environment.ts'

export type Style = 'green' | 'yellow' | 'red' | 'bold' | 'dim'

/**
 * Where a command speaks. With `--json` the answer is one JSON document on stdout and nothing else is; what is said
 * along the way goes to stderr, and what moves there only to somebody who watches.
 */
export type Terminal = ReturnType<typeof createTerminal>

export function createTerminal(
  { stdin, stdout, stderr }: Pick<Environment, 'stdin' | 'stdout' | 'stderr'>,
  { json }: { json: boolean },
) {
  let hasStatus = false

  return {
    isJson: json,
    /** Whether there is somebody to ask. */
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,

    /** For people; silent with `--json`. */
    say(line = ''): void {
      this.clearStatus()
      if (!json) stdout.write(`${line}\n`)
    },
    /** For programs; silent without `--json`. */
    answer(value: unknown): void {
      if (json) stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    /** What must be known either way. */
    warn(line: string): void {
      this.clearStatus()
      stderr.write(`${line}\n`)
    },
    /** One line that replaces the one before. */
    status(line: string): void {
      if (!stderr.isTTY) return
      const width = stderr.columns || 80 // a terminal that does not know its width says 0
      stderr.write(`\r\u001b[K${line.slice(0, width - 1)}`)
      hasStatus = true
    },
    clearStatus(): void {
      if (hasStatus) stderr.write('\r\u001b[K')
      hasStatus = false
    },
    /** Colours only where somebody sees them, and not against NO_COLOR: both are Node's to know. */
    paint: (style: Style, text: string) => styleText(style, text, { stream: stdout }),

    async confirm(question: string): Promise<boolean> {
      this.clearStatus()
      const dialogue = createInterface({ input: stdin, output: stderr })
      try {
        return /^y(es)?$/i.test((await dialogue.question(`${question} [y/N] `)).trim())
      } finally {
        dialogue.close()
      }
    },
  }
}

/** What others wrote, on one line and without what would steer a terminal. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
