import type { z } from 'zod'
import type { ConnectorFactorySchema, ConnectorSchema } from '../../contract/connectors/connectors.schema.ts'
import type { FormItem, MessageConnectorType } from '../../contract/connectors/connectors.ts'
import { refuseWith } from '../../contract/refused.ts'
import { type SocialFactory, socialFactories } from '../../contract/social/social-connectors.ts'
import type { InstalledConnector } from '../../domain/connectors/connector-rules.ts'
import { hideSecrets } from '../../domain/connectors/connector-secrets.ts'
import { toDemos } from '../../domain/social/demo-social.ts'
import { buildCallbackUrl, callbackTemplate } from '../../domain/social/social-state.ts'
import {
  findMessageFactory,
  findSocialConnector,
  messageConnectors,
  socialConnectors,
} from '../../outbound/index.ts'
import type { MessageConnector } from '../../outbound/messages/message.ts'
import type { SocialProviderConnector } from '../../outbound/social/social.ts'
import type { ConnectorRow } from '../../storage/connectors/connectors.ts'
import { readTenantSettings } from '../../storage/tenants/settings.ts'
import type { Dependencies } from '../dependencies.ts'

/** Describes connectors in the format of the management API (spec/management#connectors-api). */

/** The logos of message connectors, which are files in `client/public`. */
const logos = { Email: '/email.svg', Sms: '/sms.svg' } as const satisfies Record<MessageConnectorType, string>

/**
 * The part of a description that is the same on all hosts of the tenant. `toFactoryResponse` and `toConnectorResponse`
 * add the rest.
 */
type FactoryDescription = Omit<z.infer<typeof ConnectorFactorySchema>, 'callbackUrl' | 'readme'>
export type ConnectorDescription = Omit<z.infer<typeof ConnectorSchema>, 'callbackUrl' | 'readme'>

export type AnyConnector = MessageConnector | SocialProviderConnector

export const allFactories = (): AnyConnector[] => [
  ...Object.values(messageConnectors),
  ...Object.values(socialConnectors),
]

export const findFactory = (factoryId: string): AnyConnector | null =>
  findMessageFactory(factoryId) ?? findSocialConnector(factoryId)

/** Describes a factory, including the form items from which a console renders its configuration form. */
export function describeFactory(factory: AnyConnector): FactoryDescription {
  return 'type' in factory ? describeMessageFactory(factory) : describeSocialFactory(factory)
}

function describeSocialFactory(factory: SocialProviderConnector): FactoryDescription {
  const { factoryId, description, formItems } = factory
  const row: SocialFactory = socialFactories[factoryId]
  return {
    type: 'Social',
    id: factoryId,
    target: row.target,
    platform: row.platform,
    name: row.name,
    logo: row.logo,
    logoDark: row.logoDark ?? null,
    description,
    ...(row.isStandard === undefined ? {} : { isStandard: row.isStandard }),
    formItems: formItems.map(copyFormItem),
    hasCheck: true,
    isDemo: false,
  }
}

function describeMessageFactory(factory: MessageConnector): FactoryDescription {
  const { factoryId, type, target, name, description, isStandard, formItems, check } = factory
  return {
    type,
    id: factoryId,
    target,
    platform: null,
    name,
    logo: logos[type],
    logoDark: null,
    description,
    ...(isStandard === undefined ? {} : { isStandard }),
    formItems: formItems.map(copyFormItem),
    hasCheck: check !== undefined,
    isDemo: false,
  }
}

/** Copies a form item. The connectors' tables are readonly, and the response type is not. */
const copyFormItem = ({ selectItems, showConditions, ...item }: FormItem) => ({
  ...item,
  ...(selectItems && { selectItems: [...selectItems] }),
  ...(showConditions && { showConditions: [...showConditions] }),
})

/**
 * Builds the description of a connector from its factory and the operator's values. Returns null if this version of the
 * Worker does not have the factory.
 */
export function describeConnector(row: ConnectorRow): ConnectorDescription | null {
  const factory = findFactory(row.connectorId)
  if (!factory) return null
  const { name, logo, logoDark, target } = row.metadata
  return {
    ...describeFactory(factory),
    ...(name === undefined ? {} : { name }),
    ...(logo === undefined ? {} : { logo }),
    ...(logoDark === undefined ? {} : { logoDark }),
    ...(target === undefined ? {} : { target }),
    id: row.id,
    tenantId: row.tenantId,
    connectorId: row.connectorId,
    syncProfile: row.syncProfile,
    metadata: row.metadata,
    config: hideSecrets(row.config, factory.formItems),
    createdAt: row.createdAt,
  }
}

/**
 * Converts a row to the type that the rules in `domain` accept. Returns an empty array if this version of the Worker
 * does not have the connector's factory.
 */
export function toInstalledConnectors({
  id,
  connectorId,
  metadata,
}: Pick<ConnectorRow, 'id' | 'connectorId' | 'metadata'>): InstalledConnector[] {
  const factory = findFactory(connectorId)
  if (!factory) return []
  const described = describeFactory(factory)
  return [{ id, factory: described, metadata, name: metadata.name ?? described.name }]
}

/** The languages of setup guides and of the fields of configuration forms (spec/connectors#guides). */
export const guideLanguages = ['en', 'de'] as const
type GuideLanguage = (typeof guideLanguages)[number]

type FactoryReader = {
  /** The callback URL, which the operator registers with the provider, is on the host of the request. */
  origin: string
  language: GuideLanguage
}

/** Returns a factory with its setup guide, which only this call loads, in the language of the reader. */
export async function toFactoryResponse(
  factory: AnyConnector,
  { origin, language }: FactoryReader,
): Promise<z.infer<typeof ConnectorFactorySchema>> {
  const described = describeFactory(factory)
  const callbackUrl = described.type === 'Social' ? callbackTemplate(origin) : null
  return { ...described, ...(await loadGuide(factory, language)), callbackUrl }
}

async function loadGuide(
  { factoryId, formItems }: AnyConnector,
  language: GuideLanguage,
): Promise<Pick<z.infer<typeof ConnectorFactorySchema>, 'readme' | 'formItems'>> {
  switch (language) {
    case 'en': {
      const { setupGuides } = await import('../../outbound/guides/index.ts')
      return { readme: setupGuides[factoryId], formItems: formItems.map(copyFormItem) }
    }
    case 'de': {
      const { germanGuides, germanFieldWords } = await import('../../outbound/guides/german.ts')
      const translate = (text: string) => germanFieldWords[text] ?? text
      return {
        readme: germanGuides[factoryId],
        formItems: formItems.map((item) => translateItem(copyFormItem(item), translate)),
      }
    }
  }
}

const translateItem = (
  item: ReturnType<typeof copyFormItem>,
  translate: (text: string) => string,
): ReturnType<typeof copyFormItem> => ({
  ...item,
  label: translate(item.label),
  ...(item.description && { description: translate(item.description) }),
  ...(item.tooltip && { tooltip: translate(item.tooltip) }),
  ...(item.selectItems && {
    selectItems: item.selectItems.map(({ value, title }) => ({ value, title: translate(title) })),
  }),
})

/**
 * Returns a connector without its setup guide, which is part of the factory's response. Demo connectors have no
 * callback URL, because Vestibule is their provider.
 */
export function toConnectorResponse(
  described: ConnectorDescription,
  origin: string,
): z.infer<typeof ConnectorSchema> {
  const isRegistered = described.type === 'Social' && !described.isDemo
  return {
    ...described,
    readme: '',
    callbackUrl: isRegistered ? buildCallbackUrl(origin, described.id) : null,
  }
}

type Store = Pick<Dependencies, 'db' | 'seals'>

/**
 * Describes the demo connectors in the settings as if they were installed without a configuration
 * (spec/connectors#demo-connectors).
 */
export async function describeDemos({ db, seals }: Store, tenantId: string): Promise<ConnectorDescription[]> {
  const { demoSocial } = await readTenantSettings(db, seals, tenantId)
  return toDemos(demoSocial).flatMap(({ id, factoryId, name, logo, logoDark = null }) => {
    const factory = findFactory(factoryId)
    if (!factory) return []
    return {
      ...describeFactory(factory),
      id,
      tenantId,
      connectorId: factoryId,
      name,
      logo,
      logoDark,
      isDemo: true,
      config: {},
      metadata: {},
      syncProfile: false,
      createdAt: 0,
    }
  })
}

/** Rejects changes to demo connectors, because they are part of the settings. */
export async function refuseDemo({ db, seals }: Store, tenantId: string, id: string): Promise<void> {
  const { demoSocial } = await readTenantSettings(db, seals, tenantId)
  if (toDemos(demoSocial).some((demo) => demo.id === id)) refuseWith('connector.not_found')
}
