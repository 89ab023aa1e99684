import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCommand, deploymentOptions } from '../command.ts'
import { createDeploymentClient } from '../deployment.ts'
import { UsageError } from '../failure.ts'
import { readCurrentState } from './current.ts'
import { describeAsConfig } from './describe.ts'
import { DEFAULT_FILE } from './load.ts'
import { writePictures } from './picture-files.ts'
import { toTypeScript } from './write.ts'

export const exportCommand = defineCommand({
  summary: 'Write the settings of a deployment to a file',
  options: {
    file: { type: 'string', value: 'FILE', help: `File to write, .ts or .json (default: ${DEFAULT_FILE})` },
    force: { type: 'boolean', help: 'Replace an existing file' },
    ...deploymentOptions,
  },
  notes:
    'The file contains the names of environment variables instead of secrets. Pictures that are stored in the deployment are written to the folder "pictures" next to it. With --json, only the settings go to stdout.',
  async run({ values, terminal, environment }) {
    const file = values.file ?? DEFAULT_FILE
    const target = path.resolve(environment.folder, file)
    if (!terminal.isJson && existsSync(target) && !values.force)
      throw new UsageError(`${file} already exists. Add --force to replace it.`)

    const deployment = createDeploymentClient(values, environment)
    terminal.status(`Reading ${deployment.origin}…`)
    const { config, variables } = describeAsConfig(await readCurrentState(deployment))
    terminal.clearStatus()
    if (terminal.isJson) {
      terminal.printJson(config)
      return 0
    }
    writeFileSync(
      target,
      target.endsWith('.json')
        ? `${JSON.stringify(config, null, 2)}\n`
        : toTypeScript(config, { variables, helpers: helpersFrom(target) }),
    )
    const pictures = await writePictures(target, config, deployment)
    terminal.print(`We wrote ${[file, ...pictures].join(', ')}.`)
    if (variables.length > 0)
      terminal.print(`Before you apply the file elsewhere, set these variables: ${variables.join(', ')}`)
    return 0
  },
})

/** Returns the path from which the file imports the helpers. */
function helpersFrom(target: string): string {
  const helpers = fileURLToPath(new URL('define-config.ts', import.meta.url))
  const relative = path.relative(path.dirname(target), helpers).replaceAll(path.sep, '/')
  return relative.startsWith('.') ? relative : `./${relative}`
}
