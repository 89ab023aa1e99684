import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { stripVTControlCharacters, styleText } from 'node:util'
import type { Environment } from './environment.ts'

export type Style = 'green' | 'yellow' | 'red' | 'bold' | 'dim'

/**
 * The output of a command. With `--json`, stdout contains exactly one JSON document. Warnings go to stderr. So does
 * progress, but only if stderr is a terminal.
 */
export type Terminal = ReturnType<typeof createTerminal>

export function createTerminal(
  { stdin, stdout, stderr }: Pick<Environment, 'stdin' | 'stdout' | 'stderr'>,
  { json }: { json: boolean },
) {
  let hasStatus = false

  return {
    isJson: json,
    /** True if there is a user who can answer questions. */
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,

    /** Prints a line of text for users, unless `--json` is set. */
    print(line = ''): void {
      this.clearStatus()
      if (!json) stdout.write(`${line}\n`)
    },
    /** Prints the result for programs, but only with `--json`. */
    printJson(value: unknown): void {
      if (json) stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    /** Prints a line to stderr, whether or not `--json` is set. */
    warn(line: string): void {
      this.clearStatus()
      stderr.write(`${line}\n`)
    },
    /** Prints a progress line that replaces the previous one. */
    status(line: string): void {
      if (!stderr.isTTY) return
      const width = stderr.columns || 80 // `columns` is 0 if the terminal does not know its width
      stderr.write(`\r\u001b[K${line.slice(0, width - 1)}`)
      hasStatus = true
    },
    clearStatus(): void {
      if (hasStatus) stderr.write('\r\u001b[K')
      hasStatus = false
    },
    /** Adds colours only on a terminal and if NO_COLOR is not set. Node checks both. */
    paint: (style: Style, text: string) => styleText(style, text, { stream: stdout }),

    /** Asks a question and returns the trimmed answer. A secret is not echoed while the user types it. */
    async ask(question: string, { isSecret }: { isSecret: boolean }): Promise<string> {
      this.clearStatus()
      stderr.write(question)
      const output = new Writable({
        write(typed, _encoding, done) {
          if (isSecret) done()
          else stderr.write(typed, done)
        },
      })
      // With `terminal: true`, keys are read one by one and the system does not echo them.
      const dialogue = createInterface({ input: stdin, output, terminal: true })
      try {
        return (await dialogue.question('')).trim()
      } finally {
        dialogue.close()
        if (isSecret) stderr.write('\n')
      }
    },

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

/** Returns text from an external source as a single line without control characters. */
export const toPlainLine = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
