import { z } from 'zod'
import { SigningKey } from '../src/contract/tenants/signing-keys.schema.ts'
import { defineCommand, deploymentOptions } from './command.ts'
import { createDeploymentClient } from './deployment.ts'
import type { Terminal } from './terminal.ts'

export const listKeys = defineCommand({
  summary: 'List the keys that sign tokens',
  options: deploymentOptions,
  async run({ values, terminal, environment }) {
    show(await createDeploymentClient(values, environment).get('configs/signing-keys', Keys), terminal)
    return 0
  },
})

export const rotateKeys = defineCommand({
  summary:
    'Create new signing keys. They are published immediately, and used once clients have had time to fetch them',
  options: {
    now: {
      type: 'boolean',
      help: 'Sign with the new keys immediately, in case the current keys were compromised',
    },
    withdraw: {
      type: 'boolean',
      help: 'Also withdraw the current keys: all tokens become invalid immediately',
    },
    ...deploymentOptions,
  },
  async run({ values, terminal, environment }) {
    const deployment = createDeploymentClient(values, environment)
    const body = { immediately: values.now === true, withdraw: values.withdraw === true }
    show(await deployment.send('post', 'configs/signing-keys/rotate', body, Keys), terminal)
    return 0
  },
})

const Keys = z.array(SigningKey)

function show(keys: z.output<typeof Keys>, terminal: Terminal): void {
  for (const { id, algorithm, status, signsFrom } of keys) {
    // The first key of a tenant has no date from which it signs.
    const since = signsFrom === 0 ? '–' : new Date(signsFrom).toISOString()
    terminal.print(
      `${terminal.paint(styles[status], status.padEnd(10))}${algorithm.padEnd(7)}${id}  signs from ${since}`,
    )
  }
  terminal.printJson(keys)
}

const styles = { announced: 'yellow', signing: 'green', retired: 'dim' } as const
