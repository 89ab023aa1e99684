import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  ConnectorCheckResult,
  ConnectorFactorySchema,
  ConnectorSchema,
} from '../../src/contract/connectors.schema.ts'
import { defineCommand, deploymentOptions } from '../command.ts'
import { type Deployment, NoAnswer, openDeployment } from '../deployment.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { type Factory, findFactory } from './factory.ts'
import { type Config, readFields } from './fields.ts'
import { guideText } from './guide.ts'

type Connector = z.output<typeof ConnectorSchema>

export const connectCommand = defineCommand({
  summary:
    'Install a connector, or change its credentials: prints its guide, asks, installs, offers and checks it',
  file: 'PROVIDER',
  options: {
    field: {
      type: 'string',
      value: 'NAME=VALUE',
      isMultiple: true,
      help: 'Field of its form; =@FILE reads a file. May be repeated',
    },
    target: {
      type: 'string',
      value: 'NAME',
      help: 'Target of a connector of a standard protocol (oidc, oauth2)',
    },
    name: {
      type: 'string',
      value: 'TEXT',
      help: 'Name on the button of such a connector (default: its target)',
    },
    guide: { type: 'boolean', help: 'Print the guide alone' },
    yes: { type: 'boolean', help: 'Replace the installed connector for e-mail or SMS without asking' },
    ...deploymentOptions,
  },
  notes:
    'Secrets are asked for at a terminal, or read from variables such as CONNECTOR_GOOGLE_CLIENT_SECRET. Run again, it changes what differs.',
  async run({ values, file: name, terminal, environment }) {
    const deployment = openDeployment(values, environment)
    const [factories, connectors] = await Promise.all([
      deployment.get('connector-factories', z.array(ConnectorFactorySchema)),
      deployment.get('connectors', z.array(ConnectorSchema)),
    ])
    const factory = findFactory(factories, name)
    const target = targetOf(factory, values.target)
    const installed = connectors.filter(({ isDemo }) => !isDemo)
    const existing = installed.find((one) => one.connectorId === factory.id && one.target === target)
    const id = existing?.id ?? target
    const callbackUrl = factory.callbackUrl?.replace('{id}', id) ?? null
    terminal.say(`${terminal.paint('bold', factory.name.en ?? factory.id)}\n`)
    terminal.say(`${guideText(factory.readme, callbackUrl)}\n`)
    if (values.guide) {
      terminal.answer({ factory: factory.id, id, callbackUrl, readme: factory.readme })
      return 0
    }

    const config = await readFields(
      factory.formItems,
      { options: values.field ?? [], target, stored: existing?.config ?? {} },
      { terminal, environment },
    )
    const replaced = existing
      ? undefined
      : installed.find(({ type }) => type === factory.type && type !== 'Social')
    if (replaced) await confirmReplacement(replaced, terminal, values.yes === true)
    const metadata =
      factory.isStandard && factory.type === 'Social'
        ? { target, name: { en: values.name ?? target } }
        : undefined
    const result = await install(deployment, { factory, id, config, metadata, existing })
    terminal.say(`${result}: ${factory.id} (${id})`)
    const isOffered = factory.type === 'Social' && (await offer(deployment, target))
    if (isOffered) terminal.say('Its button was added to the sign-in page.')
    const check = await deployment.send('post', `connectors/${id}/check`, {}, ConnectorCheckResult)
    showCheck(check, terminal)
    terminal.answer({ factory: factory.id, id, callbackUrl, result, isOffered, check })
    return check.outcome === 'refused' ? 1 : 0
  },
})

/** Its identities are kept under it; it is also the id, so that the callback address is known before. */
function targetOf({ id, type, target, isStandard }: Factory, given: string | undefined): string {
  if (type !== 'Social' || !isStandard) return target
  if (given === undefined)
    throw new UsageError(`${id} needs --target: the name under which identities are kept.`)
  if (!/^[\w-]{1,64}$/.test(given)) throw new UsageError('The target may have letters, digits, - and _.')
  return given
}

async function confirmReplacement({ connectorId, type }: Connector, terminal: Terminal, isSure: boolean) {
  if (isSure) return
  const question = `This replaces the connector for ${type === 'Sms' ? 'SMS' : 'e-mail'}, ${connectorId}.`
  if (!terminal.isInteractive) throw new UsageError(`${question} Give --yes if that is meant.`)
  if (!(await terminal.confirm(`${question} Continue?`))) throw new UsageError('Nothing has been changed.')
}

type Installation = {
  factory: Factory
  id: string
  config: Config
  metadata: object | undefined
  existing: Connector | undefined
}

async function install(
  { send }: Deployment,
  { factory, id, config, metadata, existing }: Installation,
): Promise<'installed' | 'changed' | 'unchanged'> {
  if (!existing) {
    const created = { connectorId: factory.id, id, config, ...(metadata && { metadata }) }
    await send('post', 'connectors', created, NoAnswer)
    return 'installed'
  }
  if (isDeepStrictEqual(config, existing.config)) return 'unchanged'
  await send('patch', `connectors/${id}`, { config }, NoAnswer)
  return 'changed'
}

const Offered = z.object({ socialSignInConnectorTargets: z.array(z.string()) })

/** Whether it had to be added. */
async function offer({ get, send }: Deployment, target: string): Promise<boolean> {
  const { socialSignInConnectorTargets: targets } = await get('sign-in-exp', Offered)
  if (targets.includes(target)) return false
  await send('patch', 'sign-in-exp', { socialSignInConnectorTargets: [...targets, target] }, NoAnswer)
  return true
}

function showCheck({ outcome, reason }: z.output<typeof ConnectorCheckResult>, terminal: Terminal): void {
  const because = reason === null ? '' : ` (${reason})`
  const line = `${verdicts[outcome]}${because}.`
  if (outcome === 'refused') terminal.warn(line)
  else terminal.say(outcome === 'accepted' ? terminal.paint('green', line) : line)
}

const verdicts = {
  accepted: 'The provider accepts the credentials',
  refused: 'The provider refuses the credentials',
  unclear: 'The provider neither accepts nor refuses the credentials',
  unreachable: 'The provider could not be asked',
  unsupported: 'The provider has no way to check credentials: send a test message',
} as const
