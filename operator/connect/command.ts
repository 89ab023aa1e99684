import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ConnectorCheckResult } from '../../src/contract/connectors/connectors.schema.ts'
import { defineCommand, deploymentOptions } from '../command.ts'
import { formatReason } from '../credential-check.ts'
import { createDeploymentClient, type Deployment, IgnoredResponse, isConflict } from '../deployment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { AvailableConnector, InstalledConnector } from '../older-servers.ts'
import type { Terminal } from '../terminal.ts'
import { type Config, readFields } from './fields.ts'

type Connector = z.output<typeof InstalledConnector>

export const connectCommand = defineCommand({
  summary:
    'Install a connector or change its credentials: show the guide, ask for the fields, check, and add the button',
  file: 'PROVIDER',
  options: {
    field: {
      type: 'string',
      value: 'NAME=VALUE',
      isMultiple: true,
      help: 'Value of a field; NAME=@FILE reads a file. Can be repeated',
    },
    target: {
      type: 'string',
      value: 'NAME',
      help: 'Target of a connector for a standard protocol (oidc, oauth2)',
    },
    name: {
      type: 'string',
      value: 'TEXT',
      help: 'Name on the button of such a connector (default: its target)',
    },
    guide: { type: 'boolean', help: 'Only print the guide' },
    'no-button': {
      type: 'boolean',
      help: "Don't add a button to the sign-in page yet, so that you can test the connector first",
    },
    yes: { type: 'boolean', help: 'Replace the installed email or SMS connector without asking' },
    ...deploymentOptions,
  },
  notes:
    'At a terminal, we ask for secrets; otherwise they come from variables such as CONNECTOR_GOOGLE_CLIENT_SECRET. When you run the command again, it changes only what differs.',
  async run({ values, file: factoryName, terminal, environment }) {
    const deployment = createDeploymentClient(values, environment)
    const [factories, connectors] = await Promise.all([
      deployment.get('connector-factories', z.array(AvailableConnector)),
      deployment.get('connectors', z.array(InstalledConnector)),
    ])
    const factory = findFactory(factories, factoryName)
    const target = resolveTarget(factory, values.target)
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
    // The API only accepts the change if the version that was shown here is still current.
    const shownVersion = existing && (await deployment.getTagged(`connectors/${id}`, InstalledConnector))
    const config = await readFields(
      factory.formItems,
      { options: values.field ?? [], target, stored: shownVersion?.data.config ?? {} },
      { terminal, environment },
    )
    const isNamed = factory.isStandard === true && factory.type === 'Social'
    const name = isNamed ? (values.name ?? (existing ? undefined : target)) : undefined
    const result = await install(deployment, { factory, id, config, target, name, shownVersion })
    terminal.print(`${result}: ${factory.id} (${id})`)
    const check = await deployment.send('post', `connectors/${id}/check`, {}, ConnectorCheckResult)
    showCheck(check, terminal)
    const isRefused = check.outcome === 'refused'
    // Don't offer a provider to users if it rejects our credentials.
    const mayOffer = factory.type === 'Social' && !isRefused && values['no-button'] !== true
    const isOffered = mayOffer && (await offer(deployment, target))
    if (isOffered) terminal.print('We added its button to the sign-in page.')
    if (!isRefused && factory.type === 'Social')
      terminal.print(
        `Test a sign-in with this connector: ${deployment.origin}/console/connectors/${encodeURIComponent(id)}`,
      )
    if (isRefused) {
      const command = `npm run connect -- ${factoryName}${isNamed ? ` --target ${target}` : ''}`
      terminal.warn(
        `Compare the credentials with those at the provider, letter by letter, and run "${command}" again.`,
      )
      if (factory.type === 'Social' && !existing)
        terminal.warn("Until then, its button isn't on the sign-in page.")
    }
    terminal.printJson({ factory: factory.id, id, callbackUrl, result, isOffered, check })
    return isRefused ? 1 : 0
  },
})

/**
 * Returns the target of the connector, under which identities are stored. It is also the connector's id, so the
 * callback URL is known in advance.
 */
function resolveTarget({ id, type, target, isStandard }: Factory, name: string | undefined): string {
  if (type !== 'Social' || !isStandard) return target
  if (name === undefined)
    throw new UsageError(`${id} needs --target, the name under which we store identities.`)
  if (!/^[\w-]{1,64}$/.test(name))
    throw new UsageError('The target may only contain letters, digits, - and _.')
  return name
}

async function confirmReplacement(
  { connectorId, type }: Connector,
  terminal: Terminal,
  isConfirmed: boolean,
) {
  if (isConfirmed) return
  const question = `This replaces the ${type === 'Sms' ? 'SMS' : 'email'} connector ${connectorId}.`
  if (!terminal.isInteractive) throw new UsageError(`${question} Add --yes to confirm.`)
  if (!(await terminal.confirm(`${question} Continue?`))) throw new UsageError("We didn't change anything.")
}

type Installation = {
  factory: Factory
  id: string
  config: Config
  target: string
  /** The name on the button of a standard connector, or undefined to keep the current name. */
  name: string | undefined
  /** The version that is installed, or undefined if the connector is not installed yet. */
  shownVersion: { data: Connector; etag: string | null } | undefined
}

async function install(
  { send, change }: Deployment,
  { factory, id, config, target, name, shownVersion }: Installation,
): Promise<'installed' | 'changed' | 'unchanged'> {
  if (!shownVersion) {
    const metadata = name === undefined ? undefined : { target, name: { en: name } }
    const created = { connectorId: factory.id, id, config, ...(metadata && { metadata }) }
    await send('post', 'connectors', created, IgnoredResponse)
    return 'installed'
  }
  const { data, etag } = shownVersion
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
      "Someone else changed this connector in the meantime, so we didn't save your changes. Run the command again.",
    )
  })
  return 'changed'
}

const OfferedTargets = z.object({ socialSignInConnectorTargets: z.array(z.string()) })

/** The number of attempts to save, because someone else may save between our read and our write. */
const MAX_ATTEMPTS = 5

/**
 * Adds a target to the experience unless it is already there. Returns whether it was added. Changes that someone else
 * saves in between are kept.
 */
async function offer(deployment: Deployment, target: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await deployment.getTagged('sign-in-exp', OfferedTargets)
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
  refused: 'The provider rejects the credentials',
  unclear: 'The provider neither accepts nor rejects the credentials',
  unreachable: "We couldn't reach the provider",
  unsupported: 'The provider has no way to check credentials. Send a test message instead',
} as const

type Factory = z.output<typeof AvailableConnector>

/** Finds a factory by its id, its target, or the beginning of its id: `google` for `google-universal`. */
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
    if (factory) throw new UsageError(`"${name}" may mean ${listIds([factory, ...others])}.`)
  }
  throw new UsageError(`We don't know the provider "${name}". Choose from: ${listIds(factories)}.`)
}

const listIds = (factories: readonly Factory[]) => factories.map(({ id }) => id).join(', ')

/**
 * Formats a guide (spec/connectors#guides) for a terminal, without Markdown syntax and with links as plain URLs.
 */
const guideText = (readme: string, callbackUrl: string | null): string =>
  readme
    .replaceAll('{{callbackUrl}}', callbackUrl ?? '')
    .replaceAll(/\[([^\]]+)\]\((https:[^)\s]+)\)/g, '$1 ($2)')
    .replaceAll(/\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\n]+)\*(?![\w*])/g, (_, strong, light) => strong ?? light)
    .replaceAll(/`([^`\n]+)`/g, '$1')
