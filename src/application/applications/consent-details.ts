import { z } from 'zod'
import type { DeviceRequest } from '../../contract/sessions/device.ts'
import type { ConsentRequest } from '../../domain/applications/consent.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'

/** The details of the prompt that asks for consent, as the provider stored them. */
export const ConsentDetails = z.object({
  missingOIDCScope: z.array(z.string()).default([]),
  missingOIDCClaims: z.array(z.string()).default([]),
  missingResourceScopes: z.record(z.string(), z.array(z.string())).default({}),
  /** The scopes and claims that a third-party application requests, for the user to decide about. */
  asked: z
    .object({
      scopes: z.array(z.string()),
      // Interactions that an earlier version started do not have it.
      claims: z.array(z.string()).default([]),
      resources: z.record(z.string(), z.array(z.string())),
    })
    .optional(),
  /** The details of an unregistered client. */
  client: z
    .object({ name: z.string(), host: z.string(), logo: z.string().nullable(), isLocal: z.boolean() })
    .optional(),
  /** The request of the device that the application runs on, if it has no browser of its own. */
  device: z
    .object({
      code: z.string(),
      at: z.number(),
      userAgent: z.string().nullable(),
      country: z.string().nullable(),
      city: z.string().nullable(),
    })
    .optional(),
  isFirstParty: z.boolean().default(false),
  /** Set if the application uses organisations: its grants then end with their session by themselves. */
  endsWithSession: z.literal(true).optional(),
  /** The organisation for which the application will act. */
  organization: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The data that decides who receives the access, for a client that registered itself and can change it by itself. */
  registered: z.object({ authMethod: z.string(), redirectUris: z.array(z.string()) }).optional(),
})

/**
 * Returns the scopes and claims that the user has to decide about, or undefined for a first-party application, which
 * needs no consent except for a device.
 */
export const getConsentRequest = ({ prompt }: Pick<OidcInteraction, 'prompt'>): ConsentRequest | undefined =>
  prompt.name === 'consent' ? ConsentDetails.parse(prompt.details).asked : undefined

/** Returns the unregistered client's details for display, or undefined if the client is registered. */
export const getUnregisteredClient = ({ prompt }: Pick<OidcInteraction, 'prompt'>) =>
  ConsentDetails.parse(prompt.details).client

/** Returns the request of a device, or undefined for an application in a browser or an app. */
export const getDeviceRequest = ({ prompt }: Pick<OidcInteraction, 'prompt'>): DeviceRequest | undefined =>
  ConsentDetails.parse(prompt.details).device

/** Returns the organisation for which the application will act, or undefined if for none. */
export const getOrganization = ({ prompt }: Pick<OidcInteraction, 'prompt'>) =>
  ConsentDetails.parse(prompt.details).organization

/** Reports whether the user decides about a third party. A decision about a device of the operator is no consent. */
export const givesConsent = ({ prompt }: Pick<OidcInteraction, 'prompt'>) =>
  getConsentRequest({ prompt }) !== undefined && !ConsentDetails.parse(prompt.details).isFirstParty
