import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { command, deploymentOptions } from '../command.ts'
import { openDeployment } from '../deployment.ts'
import { UsageError } from '../failure.ts'
import { readCurrent } from './current.ts'
import { describe } from './describe.ts'
import { DEFAULT_FILE } from './load.ts'
import { asTypeScript } from './write.ts'

export const exportCommand = command({
  summary: 'Write the settings of a deployment into a file',
  options: {
    file: { type: 'string', value: 'FILE', help: `Where to (default: ${DEFAULT_FILE}); .ts or .json` },
    force: { type: 'boolean', help: 'Replace the file if it is there' },
    ...deploymentOptions,
  },
  notes: 'Secrets are written as the names of environment variables. With --json the settings go to stdout.',
  async run({ values, terminal, environment }) {
    const file = values.file ?? DEFAULT_FILE
    const target = path.resolve(environment.folder, file)
    if (!terminal.isJson && existsSync(target) && !values.force)
      throw new UsageError(`${file} is there already: give --force to replace it.`)

    const deployment = openDeployment(values, environment)
    terminal.status(`Reading ${deployment.origin} ...`)
    const { config, variables } = describe(await readCurrent(deployment))
    terminal.clearStatus()
    if (terminal.isJson) {
      terminal.answer(config)
      return 0
    }
    writeFileSync(
      target,
      target.endsWith('.json')
        ? `${JSON.stringify(config, null, 2)}\n`
        : asTypeScript(config, { variables, helpers: helpersFrom(target) }),
    )
    terminal.say(`Written: ${file}`)
    if (variables.length > 0)
      terminal.say(`Secrets to set when it is applied elsewhere: ${variables.join(', ')}`)
    return 0
  },
})

/** How the file, wherever it lies, imports the helpers it uses. */
function helpersFrom(target: string): string {
  const helpers = fileURLToPath(new URL('define-config.ts', import.meta.url))
  const relative = path.relative(path.dirname(target), helpers).replaceAll(path.sep, '/')
  return relative.startsWith('.') ? relative : `./${relative}`
}
