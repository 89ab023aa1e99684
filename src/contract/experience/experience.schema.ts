import { z } from 'zod'
import { EmailAddress } from '../interactions/identifiers.schema.ts'
import { identifierTypes } from '../interactions/identifiers.ts'
import { clearableValue, HttpsAddress, singleLineText, storableText, WebAddress } from '../text.schema.ts'
import { ASSET_PATH_PATTERN, agreeToTermsPolicies, signInModes } from './experience.ts'

const HexColor = z.string().regex(/^#(?:[\dA-Fa-f]{3}|[\dA-Fa-f]{6})$/, 'must be a color such as #5d34f2')
/** The URL of a logo, or the path of a file on this server. */
export const ImageAddress = z.union(
  [WebAddress, z.string().regex(ASSET_PATH_PATTERN)],
  'must be a URL or the path of a file of this server',
)
/** Visitors may follow the link in an email, so it is https only. */
const SupportContact = z.union([HttpsAddress, EmailAddress])
const layouts = {
  card: z.object({ type: z.literal('Card') }),
  split: z.object({ type: z.literal('Split'), pictureUrl: ImageAddress.optional() }),
  plain: z.object({ type: z.literal('Plain') }),
}
const Identifier = z.enum(identifierTypes)
const Method = z.object({
  identifier: Identifier,
  password: z.boolean(),
  verificationCode: z.boolean(),
  isPasswordPrimary: z.boolean(),
})

const columns = {
  color: z.object({ primaryColor: HexColor, isDarkModeEnabled: z.boolean(), darkPrimaryColor: HexColor }),
  branding: z.object({
    name: singleLineText(64).optional(),
    logoUrl: ImageAddress.optional(),
    darkLogoUrl: ImageAddress.optional(),
    favicon: ImageAddress.optional(),
  }),
  layout: z.discriminatedUnion('type', [layouts.card, layouts.split, layouts.plain]),
  languageInfo: z.object({ autoDetect: z.boolean(), fallbackLanguage: storableText(16) }),
  signIn: z.object({ methods: z.array(Method) }),
  signUp: z.object({ identifiers: z.array(Identifier), password: z.boolean(), verify: z.boolean() }),
  socialSignInConnectorTargets: z.array(storableText(128)),
  signInMode: z.enum(signInModes),
  agreeToTermsPolicy: z.enum(agreeToTermsPolicies),
  customContent: z.record(storableText(256), storableText(65_536)),
}

/** The sign-in experience as the API returns it. */
export const SignInExperienceSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  ...columns,
  termsOfUseUrl: z.string().nullable(),
  privacyPolicyUrl: z.string().nullable(),
  supportContact: z.string().nullable(),
  customCss: z.string().nullable(),
})

/**
 * The body of PATCH /sign-in-exp. Each field that is present replaces the stored value as a whole
 * (spec/management#experience-rules).
 */
export const SignInExperiencePatch = z
  .strictObject({
    ...columns,
    color: columns.color.strict(),
    branding: columns.branding.strict(),
    layout: z.discriminatedUnion('type', [
      layouts.card.strict(),
      layouts.split.strict(),
      layouts.plain.strict(),
    ]),
    languageInfo: columns.languageInfo.strict(),
    signIn: z.strictObject({ methods: z.array(Method.strict()) }),
    signUp: columns.signUp.strict(),
    termsOfUseUrl: clearableValue(WebAddress),
    privacyPolicyUrl: clearableValue(WebAddress),
    supportContact: clearableValue(SupportContact).meta({
      description:
        'It must be a complete URL, such as https://example.com/path, that begins with https, or an email address.',
    }),
    customCss: clearableValue(storableText(65_536)),
  })
  .partial()
  .meta({ id: 'SignInExperiencePatch' })
