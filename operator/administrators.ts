import { z } from 'zod'
import { AdministratorInvitation } from '../src/contract/access/administrator-invitations.schema.ts'
import { CreatedInvitation } from '../src/contract/access/invitations.schema.ts'
import { INVITATION_LIFETIMES } from '../src/contract/access/invitations.ts'
import { ADMINISTRATOR_ROLES } from '../src/contract/access/management-scopes.ts'
import { ADMIN_ROLE } from '../src/contract/product.ts'
import { User } from '../src/contract/users/users.schema.ts'
import { plainRoleName } from '../src/domain/access/administration.ts'
import { defineCommand, deploymentOptions } from './command.ts'
import { originOption } from './credentials.ts'
import { createDeploymentClient, type Deployment } from './deployment.ts'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'
import { toPlainLine } from './terminal.ts'

/** The administrator roles with the names that people read: owner, developer, support, read-only. */
const shortNames = ADMINISTRATOR_ROLES.map(({ id, name }) => ({ id, name, role: plainRoleName(name) }))
const roleNames = shortNames.map(({ role }) => role).join(', ')

export const inviteAdministrator = defineCommand({
  summary: 'Invite an administrator: print a link that works once, within ten minutes, or send one',
  file: '[EMAIL]',
  options: {
    role: { type: 'string', value: 'ROLE', help: `${roleNames} (default: owner)` },
    'valid-for': { type: 'string', value: 'TIME', help: '1h, 1d or 7d: send the link to EMAIL instead' },
    ...deploymentOptions,
  },
  notes:
    'If you add an email address, only the account with this address can accept. A link that is valid for more than\n' +
    "ten minutes is sent to the address, because it then proves the address; we don't print it.",
  async run({ values, file: email, terminal, environment }) {
    const roleId = roleIdOf(values.role)
    const lifetimeSeconds = lifetimeOf(values['valid-for'])
    const deployment = createDeploymentClient(values, environment)
    if (lifetimeSeconds !== undefined) {
      if (email === '') throw new UsageError('--valid-for needs an email address to send the link to.')
      const body = { email, roleIds: [roleId ?? ADMIN_ROLE.id], lifetimeSeconds }
      const { url: _url, ...sent } = await deployment.send('post', 'invitations', body, CreatedInvitation)
      terminal.print(
        `Sent to ${toPlainLine(email)}. The link works once, until ${new Date(sent.expiresAt).toISOString()}.`,
      )
      terminal.printJson(sent)
      return 0
    }
    const body = { ...(email !== '' && { email }), ...(roleId !== undefined && { roleId }) }
    const invitation = await invite(deployment, body)
    const validity = describeValidity(invitation, originOption(deployment.origin, environment))
    terminal.print(`${invitation.url}\n${validity}`)
    terminal.printJson(invitation)
    return 0
  },
})

function roleIdOf(roleName: string | undefined): string | undefined {
  if (roleName === undefined) return undefined
  // The command used to call owners by the end of the role's internal name.
  const match = shortNames.find(
    ({ id, name, role }) => role === roleName || id === roleName || name.endsWith(`:${roleName}`),
  )
  if (!match) throw new UsageError(`There is no administrator role "${roleName}". Choose from: ${roleNames}.`)
  return match.id
}

const lifetimes: Readonly<Record<string, number>> = {
  '1h': INVITATION_LIFETIMES.hour,
  '1d': INVITATION_LIFETIMES.day,
  '7d': INVITATION_LIFETIMES.week,
}

function lifetimeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Object.hasOwn(lifetimes, text) ? lifetimes[text] : undefined
  if (seconds === undefined) throw new UsageError(`An invitation is valid for 1h, 1d or 7d, not "${text}".`)
  return seconds
}

/** The maximum number of administrators to list per role. No tenant has that many. */
const MAX_LISTED = 100

export const listAdministrators = defineCommand({
  summary: 'List the administrators with their roles',
  options: deploymentOptions,
  async run({ values, terminal, environment }) {
    const deployment = createDeploymentClient(values, environment)
    const administrators = []
    for (const { id: roleId, role } of shortNames)
      for (const { id, username, primaryEmail, primaryPhone, isSuspended } of await readMembers(
        deployment,
        MAX_LISTED,
        roleId,
      )) {
        const names = [username, primaryEmail, primaryPhone].filter(Boolean).join(', ')
        terminal.print(toPlainLine(`${role.padEnd(10)}${id}  ${names}${isSuspended ? '  (suspended)' : ''}`))
        administrators.push({ role, id, username, primaryEmail, isSuspended })
      }
    if (administrators.length === 0)
      terminal.print(
        `There are no administrators yet. Invite one with: ${inviteCommand}${originOption(deployment.origin, environment)}`,
      )
    terminal.printJson(administrators)
    return 0
  },
})

/**
 * Creates an invitation for a tenant without administrators. Returns the text to print, or null if the tenant already
 * has an administrator.
 */
export async function createFirstInvitation(
  origin: string,
  environment: Pick<Environment, 'env' | 'folder' | 'fetch'>,
): Promise<string | null> {
  const deployment = createDeploymentClient({ origin }, environment)
  if ((await readMembers(deployment, 1)).length > 0) return null
  const invitation = await invite(deployment, {})
  const validity = describeValidity(invitation, originOption(deployment.origin, environment))
  return `Open this link to become the administrator and see the console:\n${invitation.url}\n${validity}`
}

const readMembers = (deployment: Deployment, pageSize: number, roleId: string = ADMIN_ROLE.id) =>
  deployment.get(`roles/${encodeURIComponent(roleId)}/users`, z.array(User), {
    page: '1',
    page_size: String(pageSize),
  })

const invite = (deployment: Deployment, body: { email?: string; roleId?: string }) =>
  deployment.send('post', 'administrator-invitations', body, AdministratorInvitation)

const inviteCommand = 'npm run admin -- invite'

const describeValidity = ({ expiresAt }: AdministratorInvitation, options: string) =>
  `The link works once, until ${new Date(expiresAt).toLocaleTimeString('en-GB', { timeStyle: 'short' })}. Create another with: ${inviteCommand}${options}`
