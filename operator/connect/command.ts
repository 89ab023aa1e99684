import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  ConnectorCheckResult,
  ConnectorFactorySchema,
  ConnectorSchema,
} from '../../src/contract/connectors/connectors.schema.ts'
import { defineCommand, deploymentOptions } from '../command.ts'
import { formatReason } from '../credential-check.ts'
import { type Deployment, IgnoredResponse, isConflict, openDeployment } from '../deployment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { type Config, readFields } from './fields.ts'

type Connector = z.output<typeof ConnectorSchema>

export const connectCommand = defineCommand({
  summary:
    'Install a connector, or change its credentials: prints its guide, asks, installs, checks and offers it',
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
    'no-button': { type: 'boolean', help: 'Leave the sign-in page as it is, to test the connector first' },
    yes: { type: 'boolean', help: 'Replace the installed connector for e-mail or SMS without asking' },
    ...deploymentOptions,
  },
  notes:
    'Secrets are asked for at a terminal, or read from variables such as CONNECTOR_GOOGLE_CLIENT_SECRET. Run again, it changes what differs.',
  async run({ values, file: factoryName, terminal, environment }) {
    const deployment = openDeployment(values, environment)
    const [factories, connectors] = await Promise.all([
      deployment.get('connector-factories', z.array(ConnectorFactorySchema)),
      deployment.get('connectors', z.array(ConnectorSchema)),
    ])
    const factory = findFactory(factories, factoryName)
    const target = targetOf(factory, values.target)
    const installed = connectors.filter(({ isDemo }) => !isDemo)
    const existing = installed.find((one) => one.connectorId === factory.id && one.target === target)
    const id = existing?.id ?? target
    const callbackUrl = factory.callbackUrl?.replace('{id}', id) ?? null
    terminal.print(`${terminal.paint('bold', factory.name.en ?? factory.id)}\n`)
    terminal.print(`${guideText(factory.readme, callbackUrl)}\n`)
    if (values.guide) {
      terminal.printJson({ factory: factory.id, id, callbackUrl, readme: factory.readme })
      return 0
    }

    const replaced = existing
      ? undefined
      : installed.find(({ type }) => type === factory.type && type !== 'Social')
    if (replaced) await confirmReplacement(replaced, terminal, values.yes === true)
    // What is changed is held to what is shown here.
    const seen = existing && (await deployment.getTagged(`connectors/${id}`, ConnectorSchema))
    const config = await readFields(
      factory.formItems,
      { options: values.field ?? [], target, stored: seen?.data.config ?? {} },
      { terminal, environment },
    )
    const isNamed = factory.isStandard === true && factory.type === 'Social'
    const name = isNamed ? (values.name ?? (existing ? undefined : target)) : undefined
    const result = await install(deployment, { factory, id, config, target, name, seen })
    terminal.print(`${result}: ${factory.id} (${id})`)
    const check = await deployment.send('post', `connectors/${id}/check`, {}, ConnectorCheckResult)
    showCheck(check, terminal)
    const isRefused = check.outcome === 'refused'
    // Nobody is led to a provider that refuses.
    const mayOffer = factory.type === 'Social' && !isRefused && values['no-button'] !== true
    const isOffered = mayOffer && (await offer(deployment, target))
    if (isOffered) terminal.print('Its button was added to the sign-in page.')
    if (!isRefused && factory.type === 'Social')
      terminal.print(
        `Test a sign-in with it: ${deployment.origin}/console/connectors/${encodeURIComponent(id)}`,
      )
    if (isRefused) {
      const again = `npm run connect -- ${factoryName}${isNamed ? ` --target ${target}` : ''}`
      terminal.warn(`Compare them with what the provider shows, letter by letter, and run "${again}" again.`)
      if (factory.type === 'Social' && !existing)
        terminal.warn('Its button is not on the sign-in page until then.')
    }
    terminal.printJson({ factory: factory.id, id, callbackUrl, result, isOffered, check })
    return isRefused ? 1 : 0
  },
})

/** Its identities are kept under it; it is also the id, so that the callback address is known before. */
function targetOf({ id, type, target, isStandard }: Factory, name: string | undefined): string {
  if (type !== 'Social' || !isStandard) return target
  if (name === undefined)
    throw new UsageError(`${id} needs --target: the name under which identities are kept.`)
  if (!/^[\w-]{1,64}$/.test(name)) throw new UsageError('The target may have letters, digits, - and _.')
  return name
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
  target: string
  /** On the button of a standard connector; undefined to leave it as it is. */
  name: string | undefined
  /** What is installed, if it is. */
  seen: { data: Connector; etag: string | null } | undefined
}

async function install(
  { send, change }: Deployment,
  { factory, id, config, target, name, seen }: Installation,
): Promise<'installed' | 'changed' | 'unchanged'> {
  if (!seen) {
    const metadata = name === undefined ? undefined : { target, name: { en: name } }
    const created = { connectorId: factory.id, id, config, ...(metadata && { metadata }) }
    await send('post', 'connectors', created, IgnoredResponse)
    return 'installed'
  }
  const { data, etag } = seen
  const names = { ...data.metadata.name, ...(name !== undefined && { en: name }) }
  const body = {
    ...(!isDeepStrictEqual(config, data.config) && { config }),
    ...(!isDeepStrictEqual(names, data.metadata.name ?? {}) && {
      metadata: { ...data.metadata, name: names },
    }),
  }
  if (Object.keys(body).length === 0) return 'unchanged'
  await change(`connectors/${id}`, { body, etag }).catch((error) => {
    if (!isConflict(error)) throw error
    throw new CommandFailure(
      'Somebody else has changed this connector meanwhile. Nothing of yours was saved: run the command again.',
    )
  })
  return 'changed'
}

const Offered = z.object({ socialSignInConnectorTargets: z.array(z.string()) })

/** How often somebody else may save between a read and a change of it. */
const MAX_ATTEMPTS = 5

/** Whether it had to be added. What somebody else saves in between is kept. */
async function offer(deployment: Deployment, target: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await deployment.getTagged('sign-in-exp', Offered)
    const { socialSignInConnectorTargets: targets } = data
    if (targets.includes(target)) return false
    try {
      await deployment.change('sign-in-exp', {
        body: { socialSignInConnectorTargets: [...targets, target] },
        etag,
      })
      return true
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

function showCheck(check: z.output<typeof ConnectorCheckResult>, terminal: Terminal): void {
  const { outcome } = check
  const line = `${verdicts[outcome]}${formatReason(check)}.`
  if (outcome === 'refused') terminal.warn(line)
  else terminal.print(outcome === 'accepted' ? terminal.paint('green', line) : line)
}

const verdicts = {
  accepted: 'The provider accepts the credentials',
  refused: 'The provider refuses the credentials',
  unclear: 'The provider neither accepts nor refuses the credentials',
  unreachable: 'The provider could not be asked',
  unsupported: 'The provider has no way to check credentials: send a test message',
} as const

type Factory = z.output<typeof ConnectorFactorySchema>

/** By its id, its target, or the beginning of its id: `google` for `google-universal`. */
function findFactory(factories: readonly Factory[], name: string): Factory {
  const query = name.toLowerCase()
  const matches: ((factory: Factory) => boolean)[] = [
    ({ id }) => id === query,
    ({ target }) => target === query,
    ({ id }) => id.startsWith(`${query}-`),
    ({ id, target }) => id.includes(query) || target.includes(query),
  ]
  for (const isMatch of matches) {
    const [factory, ...others] = factories.filter(isMatch)
    if (factory && others.length === 0) return factory
    if (factory) throw new UsageError(`"${name}" may be ${namesOf([factory, ...others])}.`)
  }
  throw new UsageError(`There is no provider "${name}". There are: ${namesOf(factories)}.`)
}

const namesOf = (factories: readonly Factory[]) => factories.map(({ id }) => id).join(', ')

/** A guide (spec/connectors#guides) for a terminal: links as addresses, without the marks of Markdown. */
const guideText = (readme: string, callbackUrl: string | null): string =>
  readme
    .replaceAll('{{callbackUrl}}', callbackUrl ?? '')
    .replaceAll(/\[([^\]]+)\]\((https:[^)\s]+)\)/g, '$1 ($2)')
    .replaceAll(/\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\n]+)\*(?![\w*])/g, (_, strong, light) => strong ?? light)
    .replaceAll(/`([^`\n]+)`/g, '$1')
