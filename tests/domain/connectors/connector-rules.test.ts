import { describe, expect, it } from 'vitest'
import {
  type FactoryFacts,
  findConnectorChangeProblem,
  findConnectorCreationProblem,
  type InstalledConnector,
} from '../../../src/domain/connectors/connector-rules.ts'

const smtp: FactoryFacts = { id: 'smtp', type: 'Email', target: 'smtp', platform: null }
const github: FactoryFacts = {
  id: 'github-universal',
  type: 'Social',
  target: 'github',
  platform: 'Universal',
}
const oidc: FactoryFacts = {
  id: 'oidc',
  type: 'Social',
  target: 'oidc',
  platform: 'Universal',
  isStandard: true,
}

const installed = (
  factory: FactoryFacts,
  metadata: InstalledConnector['metadata'] = {},
): InstalledConnector => ({
  id: `${factory.id}-1`,
  factory,
  metadata,
  name: { en: factory.id },
})

describe('creating a connector', () => {
  it.each([
    { what: 'the first connector of its factory', factory: smtp, change: {}, others: [], code: undefined },
    { what: 'a connector of another factory', factory: smtp, change: {}, others: [github], code: undefined },
    {
      what: 'a second connector of a factory that allows only one',
      factory: smtp,
      change: {},
      others: [smtp],
      code: 'connector.multiple_instances_not_supported',
    },
    {
      what: 'a connector with empty metadata',
      factory: smtp,
      change: { metadata: {} },
      others: [],
      code: undefined,
    },
    {
      what: 'a connector with a name although the factory has a fixed one',
      factory: smtp,
      change: { metadata: { name: { en: 'Mail' } } },
      others: [],
      code: 'connector.cannot_overwrite_metadata_for_non_standard_connector',
    },
    {
      what: 'a message connector that syncs profiles',
      factory: smtp,
      change: { syncProfile: true },
      others: [],
      code: 'connector.invalid_type_for_syncing_profile',
    },
    {
      what: 'a social connector that syncs profiles',
      factory: github,
      change: { syncProfile: true },
      others: [],
      code: undefined,
    },
    {
      what: 'a connector without the required target',
      factory: oidc,
      change: {},
      others: [],
      code: 'connector.should_specify_target',
    },
    {
      what: 'a connector with the required target',
      factory: oidc,
      change: { metadata: { target: 'corp' } },
      others: [github],
      code: undefined,
    },
    {
      what: 'a connector with a target that is in use',
      factory: oidc,
      change: { metadata: { target: 'github' } },
      others: [github],
      code: 'connector.multiple_target_with_same_platform',
    },
  ])('results in the error code $code for $what', ({ factory, change, others, code }) => {
    const all = others.map((other) => installed(other))
    expect(findConnectorCreationProblem(factory, change, all)?.code).toBe(code)
  })

  it('returns an error that names the factory if the factory allows only one connector', () => {
    expect(findConnectorCreationProblem(smtp, {}, [installed(smtp)])?.data).toEqual({ connectorId: 'smtp' })
  })

  it('returns an error that names the conflicting connector', () => {
    const change = { metadata: { target: 'corp' } }
    expect(findConnectorCreationProblem(oidc, change, [installed(oidc, { target: 'corp' })])).toMatchObject({
      status: 422,
      data: { connectorId: 'oidc-1', connectorName: { en: 'oidc' } },
    })
    const web = { ...oidc, platform: 'Web' } as const
    expect(findConnectorCreationProblem(web, change, [installed(oidc, { target: 'corp' })])).toMatchObject({
      status: 422,
    })
  })
})

describe('changing a connector', () => {
  const corp = installed(oidc, { target: 'corp' })
  it.each([
    { what: 'keeps its target', connector: corp, change: { metadata: { target: 'corp' } }, code: undefined },
    {
      what: 'gets another target',
      connector: corp,
      change: { metadata: { target: 'inc' } },
      code: 'connector.can_not_modify_target',
    },
    {
      what: 'gets a logo although the factory has a fixed one',
      connector: installed(smtp),
      change: { metadata: { logo: 'https://example.com/logo.svg' } },
      code: 'connector.cannot_overwrite_metadata_for_non_standard_connector',
    },
    {
      what: 'sends messages and syncs profiles',
      connector: installed(smtp),
      change: { syncProfile: true },
      code: 'connector.invalid_type_for_syncing_profile',
    },
    {
      what: 'sends messages and does not sync profiles',
      connector: installed(smtp),
      change: { syncProfile: false },
      code: undefined,
    },
  ])('results in the error code $code if it $what', ({ connector, change, code }) => {
    expect(findConnectorChangeProblem(connector, change)?.code).toBe(code)
  })
})
